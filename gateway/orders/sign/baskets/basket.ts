/** Defines a signing basket: payments that a user signs together at the bank, with its states. */

/**
 * `in-flight` while it is being created at the bank, `unknown` if the bank did not answer, `rejected` if the bank does not
 * sign these payments together, `unsigned` once the bank has created it, `signed` once a user has signed it, `void` if the
 * bank certainly does not have it, or no longer.
 */
export const BASKET_STATES = ['in-flight', 'unknown', 'rejected', 'unsigned', 'signed', 'void'] as const
export type BasketState = (typeof BASKET_STATES)[number]

export type Basket = {
  readonly partnerId: string
  readonly id: string
  readonly bic: string
  readonly consentId: string
  readonly approvalId: string
  readonly bankRequestId: string
  readonly bankBasketId: string | null
  readonly state: BasketState
  readonly createdAt: Temporal.Instant
  readonly dueAt: Temporal.Instant | null
}

export type BasketAtBank = Basket & { readonly bankBasketId: string }

/** Permitted state transitions. A basket that the bank did not create may be requested again. */
export const basketMayBecome: Readonly<Record<BasketState, readonly BasketState[]>> = {
  'in-flight': ['unsigned', 'unknown', 'rejected', 'void'],
  unknown: ['unsigned', 'void'],
  rejected: ['in-flight'],
  unsigned: ['signed', 'void'],
  signed: [],
  void: ['in-flight'],
}

export function isBasketAtBank(basket: Basket): basket is BasketAtBank {
  return (basket.state === 'unsigned' || basket.state === 'signed') && basket.bankBasketId !== null
}
