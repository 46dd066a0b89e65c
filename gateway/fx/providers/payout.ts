/** Defines payouts at a provider: payments to a beneficiary, or returns of funds to their sender. */
import type { Money } from '../../platform/money.ts'
import type { PayoutMethod } from './beneficiary.ts'

/** The payer, whom providers must report to the beneficiary's bank. */
export type Payer = {
  readonly entityType: 'company'
  readonly name: string
  readonly country: string
  readonly city: string
  readonly address: string
  readonly postCode: string
  /** The company's registration number. */
  readonly organisationNumber: string
}

/** `requestId` is the idempotency key: repeating the request with the same one creates no second payout. */
export type PayoutOrder = {
  readonly requestId: string
  readonly beneficiaryId: string
  readonly amount: Money
  /** The conversion that funds it; null for money that was not exchanged. */
  readonly conversionId: string | null
  /** Remittance information for the receiver. */
  readonly reference: string
  /** The purpose, as text. */
  readonly reason: string
  /** The purpose code that the receiver's country requires. */
  readonly purposeCode: string | null
  readonly method: PayoutMethod
  readonly payer: Payer | null
}

/** `held`: suspended by the provider; it is released or ended later. */
export type PayoutState = 'waiting' | 'sent' | 'completed' | 'held' | 'failed' | 'deleted'

/** A payout, as the provider reports it. */
export type ProviderPayout = {
  readonly id: string
  /** Null for an unknown status, which has no effect. */
  readonly state: PayoutState | null
  /** The provider's own status. */
  readonly providerStatus: string
  readonly amount: Money
  readonly requestId: string | null
  /** Text of the provider, e.g. why the receiver's bank returned it. */
  readonly failureReason: string | null
  /** The returned amount of a failed payout, less bank charges; null when nothing was returned. */
  readonly returned: Money | null
}
