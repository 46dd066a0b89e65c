/** Defines a signing basket: payments that a user signs together at the bank, with its states. */

/**
 * `asked` while it is being created at the bank, `lost` if the bank did not answer, `refused` if the bank does not sign these
 * payments together, `held` while it is unsigned, `signed` once a user has signed it, `void` if the bank certainly does not
 * have it, or no longer.
 */
export const BASKET_STATES = ['asked', 'lost', 'refused', 'held', 'signed', 'void'] as const
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

export type HeldBasket = Basket & { readonly bankBasketId: string }

/** Permitted state transitions. A basket that the bank did not create may be requested again. */
export const basketMayBecome: Readonly<Record<BasketState, readonly BasketState[]>> = {
  asked: ['held', 'lost', 'refused', 'void'],
  lost: ['held', 'void'],
  refused: ['asked'],
  held: ['signed', 'void'],
  signed: [],
  void: ['asked'],
}

export function isBasketAtBank(basket: Basket): basket is HeldBasket {
  return (basket.state === 'held' || basket.state === 'signed') && basket.bankBasketId !== null
}
