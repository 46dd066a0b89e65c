/** Requests a cancellation at the payment's bank, while leases prevent users from signing, and processes the answer. */

import { withPaymentLeases } from '../approvals/with-payment-leases.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import { isResourceGone } from '../banks/connector/bank-error-classification.ts'
import type { Consent } from '../consents/consent.ts'
import { bankCallerOf } from '../consents/tokens/bank-caller.ts'
import { withTokenRetry } from '../consents/tokens/with-token-retry.ts'
import type { Context } from '../context.ts'
import { type AcknowledgedPayment, loggedPaymentIds } from '../orders/payment.ts'
import { pollPayment, requireServingBank } from '../orders/status/poll-payment.ts'
import { recordBankCancellation } from '../orders/status/record-bank-cancellation.ts'
import type { PsuSession } from '../platform/http/operations/psu-session.ts'
import type { Cancellation, CancellationDecision } from './cancellation.ts'
import { postponeCancellation } from './cancellation-store.ts'
import { completeCancellation, recordCancellationEnd } from './complete-cancellation.ts'
import type { CurrentCancellation } from './get-cancellation.ts'

/** On whose behalf the cancellation is requested, and what to do if the bank requires SCA. */
export type CancellationParameters = {
  readonly consent: Consent
  readonly psu: PsuSession | null
  /** Whether an earlier request may have reached the bank and its answer was lost. */
  readonly isRepeated: boolean
  /** Whether the caller already holds the lease of the payment. */
  readonly isHeld?: boolean
  /** Ends open SCA sessions of the payment; throws if one must not be ended. */
  readonly endOpenScaSessions: () => Promise<void>
  /** Called when the bank requires a signature. */
  readonly startSca: () => Promise<CurrentCancellation | CancellationDecision>
}

const RETRY_AFTER = { seconds: 10 }

/**
 * Returns the cancellation in its new status; `REQUESTED` if the bank did not answer, which a sweep recovers. Throws if no
 * request was sent, or if the bank certainly did nothing.
 */
export async function requestBankCancellation(
  context: Context,
  cancellation: Cancellation,
  payment: AcknowledgedPayment,
  parameters: CancellationParameters,
): Promise<CurrentCancellation> {
  const work = async () => {
    await parameters.endOpenScaSessions()
    const response = await sendCancellation(context, cancellation, payment, parameters)
    return response === 'authorisation-required' ? await parameters.startSca() : response
  }
  const isHeld = parameters.isHeld === true
  const answer = isHeld ? await work() : await withPaymentLeases(context, cancellation, [payment], work)
  if (answer === 'unanswered') {
    return { cancellation: await checkOrderForAnswer(context, cancellation, payment) }
  }
  return 'yes' in answer ? { cancellation: await completeCancellation(context, cancellation, answer) } : answer
}

/** A cancelled order replaces the missing answer; any other status may still change, so it is polled again later. */
async function checkOrderForAnswer(
  context: Context,
  cancellation: Cancellation,
  payment: AcknowledgedPayment,
): Promise<Cancellation> {
  const polled = await pollPayment(context, payment)
  if (polled.status === 'Cancelled') {
    return await recordCancellationEnd(context, cancellation, { yes: true }, polled)
  }
  await postponeCancellation(context.database, cancellation, context.clock.real().add(RETRY_AFTER))
  return cancellation
}

/** The request is idempotent, so a lost answer is retried; an order that is gone by then was cancelled. */
async function sendCancellation(
  context: Context,
  { id, bankRequestId }: Cancellation,
  payment: AcknowledgedPayment,
  { consent, psu, isRepeated }: CancellationParameters,
): Promise<CancellationDecision | 'authorisation-required' | 'unanswered'> {
  const { bank, payments } = await requireServingBank(context, payment)
  try {
    const tokenSubject = {
      partnerId: consent.partnerId,
      consentId: consent.id,
      service: 'PIS',
      paymentId: payment.id,
    } as const
    const cancel = async () => {
      const caller = await bankCallerOf(context, {
        bank,
        consent,
        service: 'PIS',
        psu,
        paymentId: payment.id,
        aboutPayments: loggedPaymentIds([payment]),
      })
      return await payments.cancellation.cancel(caller, payment, bankRequestId)
    }
    const answer = await withTokenRetry(context, tokenSubject, cancel)
    return answer === 'accepted' ? await recordAccepted(context, payment) : answer
  } catch (error) {
    return isRepeated && isResourceGone(error)
      ? await recordAccepted(context, payment)
      : answerFromError(context, id, error)
  }
}

/** Recorded before the lease is released, so that the order is never resubmitted, whatever status the bank reports next. */
async function recordAccepted(context: Context, payment: AcknowledgedPayment): Promise<CancellationDecision> {
  await recordBankCancellation(context, payment)
  return { yes: true }
}

/** An order that the bank no longer has cannot be cancelled. */
function answerFromError(
  context: Context,
  cancellationId: string,
  error: unknown,
): CancellationDecision | 'unanswered' {
  if (!(error instanceof BankError)) {
    throw error
  }
  switch (error.kind) {
    case 'cancellation-rejected':
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
