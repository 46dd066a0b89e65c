/** What a payout is to a provider: money that leaves it for a receiver, bought by a conversion or returned to its sender. */
import type { Money } from '../../platform/money.ts'
import type { PayoutWay } from './beneficiary.ts'

/** Whose money it is, as providers must tell the receiver's bank. */
export type Payer = {
  readonly entityType: 'company' | 'individual'
  readonly name: string
  readonly country: string
  readonly city: string | null
  readonly address: string | null
  readonly postCode: string | null
  /** The company's number in its register. */
  readonly organisationNumber: string | null
}

/** `requestId` is ours and never used for another payout: asked twice with the same one, there is one payout. */
export type PayoutOrder = {
  readonly requestId: string
  readonly beneficiaryId: string
  readonly amount: Money
  /** The conversion whose bought money is paid; null for money that was not exchanged. */
  readonly conversionId: string | null
  /** What the receiver reads. */
  readonly reference: string
  /** What it is for, in words. */
  readonly reason: string
  /** What it is for, by the code that the receiver's country demands. */
  readonly purposeCode: string | null
  readonly way: PayoutWay
  /** The provider's earliest when null. */
  readonly paymentDate: Temporal.PlainDate | null
  readonly payer: Payer | null
}

/** `held`: stopped by the provider, and either let go or ended later. */
export type PayoutState = 'waiting' | 'sent' | 'completed' | 'held' | 'failed' | 'deleted'

/** A payout, as the provider shows it. */
export type ProviderPayment = {
  readonly id: string
  /** Null when the provider used a word that nobody knows: nothing follows from it. */
  readonly state: PayoutState | null
  /** The provider's own word. */
  readonly providerStatus: string
  readonly amount: Money
  readonly conversionId: string | null
  readonly requestId: string | null
  /** In the provider's words, e.g. why the receiver's bank sent it back. */
  readonly failureReason: string | null
  /** What came back of a failed one, less what banks kept; null when nothing did. */
  readonly returned: Money | null
}
