/** What arrived on our accounts at a provider, and the way back for what must not stay. */
import type { Money } from '../../platform/money.ts'
import type { FxRefusal } from '../providers/fx-provider-error.ts'

/** Money that arrived. */
export type ProviderReceipt = {
  readonly id: string
  readonly amount: Money
  /** What the payer wrote: the reference code somewhere in it, if all went well. Null when it came without a word. */
  readonly reference: string | null
  readonly senderName: string | null
  readonly receivedAt: Temporal.Instant
}

/** Money of which the provider tells, and nothing that anybody can read: asking for it again changes nothing at once. */
export type UnreadReceipt = { readonly id: string; readonly refusal: FxRefusal }

/** Money on its way back to who sent it; `id` is that of a payout. */
export type ReceiptReturn = { readonly payoutId: string }
