/** What a basket is: payments that their bank lets a user sign together, and what the bank holds of it. */

/**
 * `asked` while the bank is asked for it, `lost` when its answer never came, `refused` when the bank does not let these
 * payments be signed together, `held` while nobody has signed it, `signed` once somebody has, `void` when the bank
 * certainly holds none, or none any more.
 */
export const BASKET_STATES = ['asked', 'lost', 'refused', 'held', 'signed', 'void'] as const
export type BasketState = (typeof BASKET_STATES)[number]

/** A basket as it is kept. */
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

/** A basket that its bank holds. */
export type HeldBasket = Basket & { readonly bankBasketId: string }

/** Which states may follow which. A basket that the bank did not make may be asked for again. */
export const basketMayBecome: Readonly<Record<BasketState, readonly BasketState[]>> = {
  asked: ['held', 'lost', 'refused', 'void'],
  lost: ['held', 'void'],
  refused: ['asked'],
  held: ['signed', 'void'],
  signed: [],
  void: ['asked'],
}

/** Whether the bank holds it. */
export function isAtBank(basket: Basket): basket is HeldBasket {
  return (basket.state === 'held' || basket.state === 'signed') && basket.bankBasketId !== null
}
