/** Asks a payment's bank to withdraw it, while nobody begins to sign it, and does what the answer calls for. */
import { whileHolding } from '../approvals/hold-payments.ts'
import { BankRefusal, isGone } from '../banks/connector/bank-error.ts'
import { callerAtBank } from '../consents/caller-at-bank.ts'
import type { Consent } from '../consents/consent.ts'
import { withLiveTokens } from '../consents/with-live-tokens.ts'
import type { Context } from '../context.ts'
import { noteWithdrawn } from '../orders/find-payments.ts'
import type { HeldPayment } from '../orders/payment.ts'
import { followPayment, servedAt } from '../payments/follow-payment.ts'
import type { PsuSession } from '../platform/http/operations/psu-session.ts'
import type { Cancellation, Word } from './cancellation.ts'
import { postponeCancellation } from './cancellation-store.ts'
import { endCancellation, keepEnd } from './end-cancellation.ts'
import type { Standing } from './show-cancellation.ts'

/** Whose user wishes it, and what that user's being there or not makes of it. */
export type Wisher = {
  readonly consent: Consent
  readonly psu: PsuSession | null
  /** Whether the bank may have been asked before, and its answer was lost. */
  readonly isRepeated: boolean
  /** Whether nobody can begin to sign it anyway: whoever asks holds it, together with others. */
  readonly isHeld?: boolean
  /** Sees to signings of the payment that are open; throws when they stand in the way. */
  readonly clearWay: () => Promise<void>
  /** What is done when the bank wants a signature. */
  readonly haveSigned: () => Promise<Standing | Word>
}

/** An answer that was lost is looked for after this. */
const ASK_AGAIN_AFTER = { seconds: 10 }

/**
 * Answers the cancellation as it is then: `ASKED` when no answer came, which a sweep sees to. Throws when the bank was
 * not asked, or certainly did nothing.
 */
export async function carryOut(
  context: Context,
  cancellation: Cancellation,
  payment: HeldPayment,
  wisher: Wisher,
): Promise<Standing> {
  const work = async () => {
    await wisher.clearWay()
    const asked = await ask(context, cancellation, payment, wisher)
    return asked === 'authorisation-required' ? await wisher.haveSigned() : asked
  }
  const isHeld = wisher.isHeld === true
  const answer = isHeld ? await work() : await whileHolding(context, cancellation, [payment], work)
  if (answer === 'unanswered') {
    return { cancellation: await lookForAnswer(context, cancellation, payment) }
  }
  return 'yes' in answer ? { cancellation: await endCancellation(context, cancellation, answer) } : answer
}

/** An order that is withdrawn is all the answer that is needed; one that is not may be so in a moment. */
async function lookForAnswer(
  context: Context,
  cancellation: Cancellation,
  payment: HeldPayment,
): Promise<Cancellation> {
  const read = await followPayment(context, payment)
  if (read.status === 'Cancelled') {
    return await keepEnd(context, cancellation, { yes: true }, read)
  }
  await postponeCancellation(context.database, cancellation, context.clock.real().add(ASK_AGAIN_AFTER))
  return cancellation
}

/** Withdrawing an order twice withdraws it once: whoever lost the answer asks again, and an order that is gone by then was withdrawn. */
async function ask(
  context: Context,
  { id, bankRequestId }: Cancellation,
  payment: HeldPayment,
  { consent, psu, isRepeated }: Wisher,
): Promise<Word | 'authorisation-required' | 'unanswered'> {
  const { bank, payments } = await servedAt(context, payment)
  try {
    const shown = { partnerId: consent.partnerId, consentId: consent.id, paymentId: payment.id }
    const cancel = async () => {
      const caller = await callerAtBank(context, { bank, consent, psu, paymentId: payment.id })
      return await payments.cancellation.cancel(caller, payment, bankRequestId)
    }
    const answer = await withLiveTokens(context, shown, cancel)
    return answer === 'accepted' ? await taken(context, payment) : answer
  } catch (error) {
    return isRepeated && isGone(error) ? await taken(context, payment) : wordOf(context, id, error)
  }
}

/** Noted before anybody may sign it again: whatever the bank shows next, it is not placed anew. */
async function taken(context: Context, payment: HeldPayment): Promise<Word> {
  await noteWithdrawn(context, payment)
  return { yes: true }
}

/** What the bank does not hold any more cannot be withdrawn either. */
function wordOf(context: Context, cancellationId: string, error: unknown): Word | 'unanswered' {
  if (!(error instanceof BankRefusal)) {
    throw error
  }
  switch (error.kind) {
    case 'cancellation-refused':
    case 'unknown-resource':
    case 'expired-resource':
      return { yes: false, reason: error.message }
    case 'outcome-unknown':
      context.log.warn({ cancellationId }, 'a bank did not answer a cancellation')
      return 'unanswered'
    default:
      throw error
  }
}
