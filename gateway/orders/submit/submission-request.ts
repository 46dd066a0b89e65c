/** Prepares the submission of an order: the request id that the bank sees, the notification URL and the recovery time. */
import { callSecondsMax } from '../../banks/transport/bank-call-limits.ts'
import type { Context } from '../../context.ts'
import { hashToken, newBankRequestId, newToken } from '../../platform/ids.ts'
import type { PaymentKey } from '../store/payment-store.ts'

/** A request that is about to be made; each submission has a new one, a resubmission as well. */
export type SubmissionRequest = {
  /** The `X-Request-ID`, the same when the request is repeated with another token: the bank has not executed it. */
  readonly bankRequestId: string
  /** The URL to which the bank may send notifications. */
  readonly notification: string
  readonly notificationTokenHash: string
  /** Wall time after which recovery takes over the submission. */
  readonly recoverAt: Temporal.Instant
}

/** The time that our own work may add to the call before recovery takes over. */
const RECOVERY_MARGIN = { seconds: 5 }

/** Returns a new, unique request for a payment. */
export function newSubmissionRequest(context: Context, { partnerId, id }: PaymentKey): SubmissionRequest {
  const notificationToken = newToken()
  return {
    bankRequestId: newBankRequestId(),
    notification: `${context.config.baseUrl}/hints/payments/${partnerId}/${id}/${notificationToken}`,
    notificationTokenHash: hashToken(notificationToken),
    recoverAt: recoverAt(context),
  }
}

/** Returns the time after which recovery takes over a request that starts now. */
export function recoverAt({ config, clock }: Context): Temporal.Instant {
  return clock
    .real()
    .add({ seconds: callSecondsMax(config) })
    .add(RECOVERY_MARGIN)
}
