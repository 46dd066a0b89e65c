/** Prepares an order's way to its bank: what the request is known by, where hints go, and when it counts as left behind. */
import { callSecondsMax } from '../../banks/transport/call-seconds-max.ts'
import type { Context } from '../../context.ts'
import { hashToken, newBankRequestId, newToken } from '../../platform/ids.ts'
import type { PaymentKey } from '../payment-store.ts'

/** A request that is about to be made. */
export type BankRequest = {
  readonly bankRequestId: string
  /** Where the bank may tell that something changed. */
  readonly notification: string
  readonly hintHash: string
  /** Wall time after which recovery takes the intent up. */
  readonly recoverAt: Temporal.Instant
}

/** What our own work may add to the call's time before an intent counts as left behind. */
const RECOVERY_MARGIN = { seconds: 5 }

/** A request for a payment; no two are alike. */
export function newBankRequest(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  { partnerId, id }: PaymentKey,
): BankRequest {
  const hintToken = newToken()
  return {
    bankRequestId: newBankRequestId(),
    notification: `${config.baseUrl}/hints/payments/${partnerId}/${id}/${hintToken}`,
    hintHash: hashToken(hintToken),
    recoverAt: recoverAt({ config, clock }),
  }
}

/** When whatever is asked now counts as left behind. */
export function recoverAt({ config, clock }: Pick<Context, 'config' | 'clock'>): Temporal.Instant {
  return clock
    .real()
    .add({ seconds: callSecondsMax(config) })
    .add(RECOVERY_MARGIN)
}
