/** Records reads that find nothing new without making them: the sandbox bank says of which payments it would tell the same. */
import type { Bank } from '../../banks/directory/bank.ts'
import { liveConsentOf } from '../../consents/find-consent.ts'
import type { Context } from '../../context.ts'
import { dueShares } from '../../foundation/due-rows.ts'
import { isId } from '../../platform/ids.ts'
import { mapLettingOthersIn } from '../../platform/yield-to-event-loop.ts'
import { executionDay } from '../instructions/expected-execution-date.ts'
import { polling } from '../jobs.ts'
import { type HeldPayment, isFinal, isHeld, type Payment } from '../payment.ts'
import { nextPoll, pollTermsOf } from './poll-schedule.ts'
import { listDue, type UnchangedRead, writeUnchanged } from './unchanged-payment-store.ts'

/** What we last read of a payment, by the bank's id. */
export type LastRead = {
  readonly paymentId: string
  readonly transactionStatus: string
  readonly readAt: Temporal.Instant
}

/** Answers the ids of the payments of which the bank would tell the same again. */
export type UnchangedOf = (reads: readonly LastRead[]) => Promise<ReadonlySet<string>>

const PAGE_ROWS = 250
/** While the clocks are set the bank's is behind ours: what it dates before a read may have come after it. */
const READ_JUST_BEFORE = { seconds: 5 }

/**
 * Does what due reads would do of payments that have not changed. All others are left to be read, and so is one payment
 * of each consent, which shows whether the bank can be reached and still takes the consent.
 */
export async function recordUnchanged(context: Context, unchangedOf: UnchangedOf): Promise<void> {
  for (const bic of await dueShares(context.database, polling, context.clock.now())) {
    const bank = await context.banks.find(bic)
    await (bank && recordAtBank(context, bank, unchangedOf))
  }
}

async function recordAtBank(context: Context, bank: Bank, unchangedOf: UnchangedOf): Promise<void> {
  const { clock, database } = context
  const [now, real] = [clock.now(), clock.real()]
  const liveConsents = new Map<string, boolean>()
  let after: Payment | null = null
  do {
    const page: readonly Payment[] = await listDue(database, { bic: bank.bic, now, real, after, limit: PAGE_ROWS })
    const candidates: HeldPayment[] = []
    for (const payment of page.filter((due) => isPlainRead(due, bank, now))) {
      if (isHeld(payment) && isId(payment.bankPaymentId) && (await hasSample(context, liveConsents, payment))) {
        candidates.push(payment)
      }
    }
    await recordPage(context, bank, { candidates, unchangedOf })
    after = page.length < PAGE_ROWS ? null : (page.at(-1) ?? null)
  } while (after !== null)
}

/**
 * Whether reading the payment does nothing but record what the bank says. After its day it may be withdrawn, looked for on
 * the account, or raised. The first read after we learnt of a signature may give the same status another meaning.
 */
function isPlainRead(payment: Payment, bank: Bank, now: Temporal.Instant): boolean {
  const today = now.toZonedDateTimeISO(bank.profile.timeZone).toPlainDate()
  const isAfterItsDay = Temporal.PlainDate.compare(today, payment.dueDate) > 0
  const { signed, signedAt, statusAt } = payment
  const wasReadAsIs = !signed || (signedAt !== null && Temporal.Instant.compare(statusAt, signedAt) >= 0)
  return wasReadAsIs && (isFinal(payment) || !(isAfterItsDay || payment.withdrawnAt !== null))
}

/** Whether its consent is in force and another payment of it is read at the bank. */
async function hasSample(context: Context, liveConsents: Map<string, boolean>, payment: Payment): Promise<boolean> {
  const isLive = liveConsents.get(payment.consentId)
  if (isLive === undefined) {
    const consent = await liveConsentOf(context, payment)
    liveConsents.set(payment.consentId, consent?.status === 'ACCEPTED')
    return false
  }
  return isLive
}

async function recordPage(
  { database, clock }: Context,
  bank: Bank,
  { candidates, unchangedOf }: { readonly candidates: readonly HeldPayment[]; readonly unchangedOf: UnchangedOf },
): Promise<void> {
  if (candidates.length === 0) {
    return
  }
  const unchanged = await unchangedOf(
    candidates.map(({ bankPaymentId, bankStatus, statusAt }) => ({
      paymentId: bankPaymentId,
      transactionStatus: bankStatus ?? '',
      readAt: statusAt.subtract(READ_JUST_BEFORE),
    })),
  )
  const [now, real] = [clock.now(), clock.real()]
  const reads = await mapLettingOthersIn(
    candidates.filter(({ bankPaymentId }) => unchanged.has(bankPaymentId)),
    (payment): UnchangedRead => ({ payment, nextPollAt: nextPollOf(payment, bank, now) }),
  )
  await writeUnchanged(database, reads, { now, real })
}

function nextPollOf(payment: Payment, bank: Bank, now: Temporal.Instant): Temporal.Instant | null {
  const executesOn = payment.signed ? executionDay(payment, bank, now) : undefined
  const polled = { ...payment, pollStep: payment.pollStep + 1, ...(executesOn && { executesOn }) }
  return nextPoll(polled, now, pollTermsOf(bank))
}
