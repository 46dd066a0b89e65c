/** Recovers a cancellation without an answer: polls the payment, and repeats the request if it is not cancelled. */

import { openScaSessionsOf } from '../approvals/supersede-sca-sessions.ts'
import { BankError, retryAfterOf } from '../banks/connector/bank-error.ts'
import { isOfKind } from '../banks/connector/bank-error-classification.ts'
import { consentOf } from '../consents/consent-lookup.ts'
import type { Context } from '../context.ts'
import { type AcknowledgedPayment, isAcknowledged, permits } from '../orders/payment.ts'
import { pollPayment } from '../orders/status/poll-payment.ts'
import { ApiError, apiError } from '../platform/http/errors/api-error.ts'
import { nextAttemptAt } from '../platform/jobs/retry-backoff.ts'
import { type Cancellation, type CancellationDecision, wasSuperseded } from './cancellation.ts'
import { postponeCancellation } from './cancellation-store.ts'
import { completeCancellation, paymentOf } from './complete-cancellation.ts'
import { requestBankCancellation } from './request-bank-cancellation.ts'

/** No user waits longer; the user can request it again. */
const GIVE_UP_AFTER = { minutes: 15 }
/** A bank may need that long for a thousand orders, and orders that are not cancelled may be paid. */
const GIVE_UP_PAYROLL_AFTER = { hours: 2 }
const RETRY_DELAY = { leastSeconds: 10, mostSeconds: 60 }

/**
 * The status is polled first. An order that was signed since the request is not cancelled: the signature is the newer
 * decision of the user.
 */
export async function recoverCancellation(context: Context, cancellation: Cancellation): Promise<void> {
  const payment = await pollPayment(context, await paymentOf(context, cancellation))
  const giveUpAfter = isPartOfPayrollCancellation(cancellation) ? GIVE_UP_PAYROLL_AFTER : GIVE_UP_AFTER
  const isLate = Temporal.Instant.compare(context.clock.real(), cancellation.requestedAt.add(giveUpAfter)) > 0
  const reason = !permits(payment, 'cancel')
    ? `The payment was ${payment.status} before the bank accepted the cancellation`
    : wasSuperseded(cancellation, payment)
      ? 'The payment was signed after the cancellation was requested'
      : isLate
        ? 'The bank did not answer the cancellation. Read the status of the payment'
        : undefined
  if (reason !== undefined || !isAcknowledged(payment)) {
    await completeCancellation(context, cancellation, {
      yes: false,
      reason: reason ?? 'The bank does not have the payment',
    })
  } else {
    await retryCancellation(context, cancellation, payment)
  }
}

const SCA_IMPOSSIBLE: CancellationDecision = {
  yes: false,
  reason: 'The bank requires a signature for the cancellation. Request it again when the user is present',
}

async function retryCancellation(
  context: Context,
  cancellation: Cancellation,
  payment: AcknowledgedPayment,
): Promise<void> {
  const consent = await consentOf(context, cancellation)
  try {
    if (consent === undefined) {
      throw new Error(`The consent of cancellation ${cancellation.id} does not exist`)
    }
    await requestBankCancellation(context, cancellation, payment, {
      consent,
      psu: null,
      isRepeated: true,
      endOpenScaSessions: () => requireUnsigned(context, payment),
      startSca: async () => SCA_IMPOSSIBLE,
    })
  } catch (error) {
    await handleError(context, cancellation, error)
  }
}

/** A signature that was started since takes precedence over the cancellation. */
async function requireUnsigned(context: Context, payment: AcknowledgedPayment): Promise<void> {
  if ((await openScaSessionsOf(context, payment.partnerId, [payment])).length > 0) {
    throw apiError('conflict', 'A user started to sign the payment after the cancellation was requested')
  }
}

/**
 * An unreachable bank is retried. A part of a payroll also waits for concurrent sessions, because a payroll should not be
 * cancelled partly. Any other error ends the cancellation.
 */
async function handleError(context: Context, cancellation: Cancellation, error: unknown): Promise<void> {
  if (error instanceof BankError && !isOfKind(error, 'unavailable')) {
    await completeCancellation(context, cancellation, { yes: false, reason: error.message })
  } else if (error instanceof ApiError && !isPartOfPayrollCancellation(cancellation)) {
    await completeCancellation(context, cancellation, { yes: false, reason: error.message })
  } else if (error instanceof BankError || error instanceof ApiError) {
    const real = context.clock.real()
    await postponeCancellation(
      context.database,
      cancellation,
      nextAttemptAt(cancellation.requestedAt, real, RETRY_DELAY, retryAfterOf(error)),
    )
  } else {
    throw error
  }
}

function isPartOfPayrollCancellation({ payrollCancellationId }: Cancellation): boolean {
  return payrollCancellationId !== null
}
