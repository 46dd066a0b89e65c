/** Recovers cancellations without an answer, because the bank did not answer, a process crashed, or the user waits no longer. */

import { BankError, retryAfterOf } from '../../banks/connector/bank-error.ts'
import { isOfKind } from '../../banks/connector/bank-error-classification.ts'
import { consentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import { ApiError, apiError } from '../../platform/http/errors/api-error.ts'
import { dueRowSweep } from '../../platform/jobs/due-row-sweep.ts'
import { nextAttemptAt } from '../../platform/jobs/retry-backoff.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { findOrderOf } from '../find-orders.ts'
import { isAcknowledged, type Payment, permits } from '../payment.ts'
import { scaSessionsOf, withPaymentLeases } from '../sign/open-sca-sessions.ts'
import { pollPayment } from '../status/poll-payment.ts'
import { type CancellationPart, cancellationTerms, type OrderCancellation, wasSuperseded } from './cancellation.ts'
import { findCancellationPart, postponeParts } from './cancellation-store.ts'
import {
  type BankAnswer,
  completeCancellation,
  leaseSeconds,
  recordBankAnswer,
  requestBankCancellation,
} from './request-bank-cancellation.ts'

const RETRY_DELAY = { leastSeconds: 10, mostSeconds: 60 }

const cancellationScan = {
  name: 'cancellation recovery',
  table: 'cancellations',
  partition: 'bic',
  column: 'recover_at',
  time: 'wall',
} as const

export function cancellationSweep(context: Context): Sweep {
  return dueRowSweep(context, { ...cancellationScan, leaseSeconds: leaseSeconds(context) }, async (key) => {
    const part = await findCancellationPart(context.database, key)
    if (part?.status === 'REQUESTED') {
      await recoverCancellation(context, part)
    }
  })
}

/**
 * Polls the order, and repeats the request if it is not cancelled. An order that was signed since the request is not
 * cancelled: the signature is the newer decision of the user.
 */
export async function recoverCancellation(context: Context, part: CancellationPart): Promise<void> {
  const order = await pollPayment(context, await findOrderOf(context, part.partnerId, part.paymentId))
  const reason = reasonToEnd(context, part, order)
  if (reason === undefined && isAcknowledged(order)) {
    await retryCancellation(context, { part, order })
  } else {
    await completeCancellation(context, part, { yes: false, reason: reason ?? 'The bank does not have the payment' })
  }
}

function reasonToEnd({ clock }: Context, part: CancellationPart, order: Payment): string | undefined {
  if (!permits(order, 'cancel')) {
    return `The payment was ${order.status} before the bank accepted the cancellation`
  }
  if (wasSuperseded(part, order)) {
    return 'The payment was signed after the cancellation was requested'
  }
  const { giveUpAfter } = cancellationTerms[part.kind]
  return Temporal.Instant.compare(clock.real(), part.requestedAt.add(giveUpAfter)) > 0
    ? 'The bank did not answer the cancellation. Read the status of the payment'
    : undefined
}

const SCA_IMPOSSIBLE = {
  yes: false,
  reason: 'The bank requires a signature for the cancellation. Request it again when the user is present',
} as const

async function retryCancellation(context: Context, cancellation: OrderCancellation): Promise<void> {
  try {
    const answer = await requestUnlessSigning(context, cancellation)
    await recordBankAnswer(context, cancellation, answer === 'authorisation-required' ? SCA_IMPOSSIBLE : answer)
  } catch (error) {
    await handleError(context, cancellation.part, error)
  }
}

/** A signature that was started since takes precedence over the cancellation. */
async function requestUnlessSigning(context: Context, { part, order }: OrderCancellation): Promise<BankAnswer> {
  const consent = await consentOf(context, part)
  if (consent === undefined) {
    throw new Error(`The consent of cancellation ${part.id} does not exist`)
  }
  return await withPaymentLeases(context, part, [order], async () => {
    if ((await scaSessionsOf(context, part.partnerId, [order], 'open')).length > 0) {
      throw apiError('conflict', 'A user started to sign the payment after the cancellation was requested')
    }
    return await requestBankCancellation(context, { part, order }, { consent, psu: null }, { isRepeated: true })
  })
}

/** An unreachable bank is retried, and so is an order that is being signed, if that is waited for. */
async function handleError(context: Context, part: CancellationPart, error: unknown): Promise<void> {
  const isBusy = error instanceof ApiError
  if (!isBusy && !(error instanceof BankError)) {
    throw error
  }
  const isRetried = isBusy ? cancellationTerms[part.kind].waitsForSigners : isOfKind(error, 'unavailable')
  if (isRetried) {
    const at = nextAttemptAt(part.requestedAt, context.clock.real(), RETRY_DELAY, retryAfterOf(error))
    await postponeParts(context.database, [part], at)
  } else {
    await completeCancellation(context, part, { yes: false, reason: error.message })
  }
}
