/** Makes sure, before payments are signed, that none of them lies in a basket which would keep it from that. */
import type { Context } from '../context.ts'
import { findOrdersOf } from '../orders/find-payments.ts'
import { type HeldPayment, isOpenForSigning } from '../orders/payment.ts'
import { nameToPartners } from '../orders/payroll/select-payroll-orders.ts'
import { Invalid, refuse } from '../platform/http/errors/api-error.ts'
import type { Basket } from './baskets/basket.ts'
import { type BasketOfPayment, listBasketsWith } from './baskets/basket-store.ts'
import { loseBasket } from './baskets/mark-basket-unknown.ts'
import { dropBasket, isUnsigned, noteIfSigned } from './drop-basket.ts'
import type { PathOf } from './require-approvable.ts'

/** What becomes of a basket's payments: they are free, to be signed with it, or to be signed alone. */
type Seen = 'free' | 'signed' | 'refused'

/** A bank that did not let payments be signed together may do so once what was wrong with one of them is over. */
const REFUSAL_COUNTS = { minutes: 15 }

/** In which signed baskets some wait for further signatures, and which the bank did not let be signed together. */
export type Laid = { readonly basketIdByPayment: ReadonlyMap<string, string>; readonly alone: ReadonlySet<string> }

/**
 * Takes payments out of baskets that nobody has signed. Throws `AUTHENTICATION_TEMPORARY_UNAVAILABLE` while the bank
 * does not untie one, and 422 where others are signed with a payment that were not asked for.
 */
export async function clearBaskets(context: Context, payments: readonly HeldPayment[], pathOf: PathOf): Promise<Laid> {
  const laid = await listBasketsWith(context.database, payments)
  const seenById = new Map<string, Seen>()
  const basketIdByPayment = new Map<string, string>()
  const alone = new Set<string>()
  for (const payment of payments) {
    const found = laid.find((one) => one.paymentId === payment.id && one.bankPaymentId === payment.bankPaymentId)
    if (found !== undefined) {
      const { basket } = found
      const seen = seenById.get(basket.id) ?? (await settle(context, basket))
      seenById.set(basket.id, seen)
      if (seen === 'signed') {
        basketIdByPayment.set(payment.id, basket.id)
      } else if (seen === 'refused') {
        alone.add(payment.id)
      }
    }
  }
  await requireWhole(context, payments, { laid, basketIdByPayment, pathOf })
  return { basketIdByPayment, alone }
}

/**
 * What the bank holds of it now. Nobody is signing it with us: that is looked at first. Of one that is lost the bank
 * alone knows: it says so when it still holds its payments together.
 */
async function settle(context: Context, basket: Basket): Promise<Seen> {
  switch (basket.state) {
    case 'asked':
      return await settleAsked(context, basket)
    case 'held':
      return await settleHeld(context, basket)
    case 'refused': {
      const countsUntil = basket.createdAt.add(REFUSAL_COUNTS)
      return Temporal.Instant.compare(context.clock.now(), countsUntil) < 0 ? 'refused' : 'free'
    }
    case 'signed':
      return 'signed'
    case 'lost':
    case 'void':
      return 'free'
  }
}

async function settleAsked(context: Context, basket: Basket): Promise<Seen> {
  const isLate = basket.dueAt !== null && Temporal.Instant.compare(basket.dueAt, context.clock.now()) <= 0
  if (isLate && (await loseBasket(context, basket))) {
    return 'free'
  }
  throw busy('Its bank is laying one of these payments together with others at this moment')
}

async function settleHeld(context: Context, basket: Basket): Promise<Seen> {
  if (!isUnsigned(basket) || (await dropBasket(context, basket))) {
    return 'free'
  }
  if (await noteIfSigned(context, basket)) {
    return 'signed'
  }
  throw busy('One of these payments was to be signed with others, and its bank does not let go of that yet')
}

function busy(text: string): Error {
  return refuse('AUTHENTICATION_TEMPORARY_UNAVAILABLE', `${text}; ask again in a moment`)
}

type Whole = {
  readonly laid: readonly BasketOfPayment[]
  readonly basketIdByPayment: ReadonlyMap<string, string>
  readonly pathOf: PathOf
}

/** A basket is signed as it is: nobody signs with it what they were not asked to. */
async function requireWhole(
  context: Context,
  payments: readonly HeldPayment[],
  { laid, basketIdByPayment, pathOf }: Whole,
): Promise<void> {
  const asked = new Set(payments.map(({ id }) => id))
  const signed = new Set(basketIdByPayment.values())
  const others = laid.filter(({ basket, paymentId }) => signed.has(basket.id) && !asked.has(paymentId))
  const [first] = payments
  if (first === undefined || others.length === 0) {
    return
  }
  const otherIds = others.map(({ paymentId }) => paymentId)
  const found = await findOrdersOf(context, first.partnerId, otherIds)
  const open = others.filter(({ bankPaymentId }, n) => {
    const other = found[n]
    return other !== undefined && isOpenForSigning(other) && other.bankPaymentId === bankPaymentId
  })
  const nameById = new Map(found.map((other) => [other.id, nameToPartners(other)]))
  const besideByPath = new Map<string, ReadonlySet<string>>()
  for (const { id } of payments) {
    const beside = open.filter(({ basket }) => basket.id === basketIdByPayment.get(id))
    const names = beside.map(({ paymentId }) => nameById.get(paymentId) ?? paymentId)
    besideByPath.set(pathOf(id), new Set([...(besideByPath.get(pathOf(id)) ?? []), ...names]))
  }
  const problems = [...besideByPath].flatMap(([path, beside]) => {
    const reason = `is signed together with ${[...beside].join(', ')}: approve them together`
    return beside.size === 0 ? [] : [{ code: 'InvalidRequest', reason, path } as const]
  })
  if (problems.length > 0) {
    throw new Invalid(problems)
  }
}
