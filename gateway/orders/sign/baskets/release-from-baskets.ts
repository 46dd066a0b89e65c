/** Releases payments from unsigned baskets before they are signed, and finds the constraints of signed baskets. */

import type { Context } from '../../../context.ts'
import { apiError, InvalidRequestError } from '../../../platform/http/errors/api-error.ts'
import { findOrdersOf } from '../../find-orders.ts'
import { instructionOf } from '../../instruction.ts'
import { type AcknowledgedPayment, isOpenForSigning } from '../../payment.ts'
import type { PathOf } from '../approvable.ts'
import type { BasketTerms } from '../approval.ts'
import { deleteBasket, isUnsignedBasket, markBasketUnknown, recordIfBasketSigned } from './bank-basket.ts'
import type { Basket } from './basket.ts'
import { type BasketOfPayment, listBasketsWith } from './basket-store.ts'
import { STATUSES_AFTER_SIGNING } from './find-unaccepted-items.ts'

/** How the payments of a basket may be signed: freely, only with this basket, or only separately. */
type BasketAvailability = 'free' | 'signed' | 'rejected'

/** A bank that rejected a basket may accept it once the cause, often one of the payments, has gone. */
const REJECTION_VALID_FOR = { minutes: 15 }

/**
 * Deletes unsigned baskets of these payments. Throws `AUTHENTICATION_TEMPORARY_UNAVAILABLE` while the bank does not delete
 * one, and 422 if a signed basket contains further payments that were not requested.
 */
export async function releaseFromBaskets(
  context: Context,
  payments: readonly AcknowledgedPayment[],
  pathOf: PathOf,
): Promise<Omit<BasketTerms, 'sizeMax'>> {
  const basketPayments = await listBasketsWith(context.database, payments)
  const availabilityById = new Map<string, BasketAvailability>()
  const basketIdByPayment = new Map<string, string>()
  const alone = new Set<string>()
  for (const payment of payments) {
    const found = basketPayments.find(
      (one) => one.paymentId === payment.id && one.bankPaymentId === payment.bankPaymentId,
    )
    if (found !== undefined) {
      const { basket } = found
      const availability = availabilityById.get(basket.id) ?? (await resolveBasket(context, basket))
      availabilityById.set(basket.id, availability)
      const members = basketPayments.filter((one) => one.basket.id === basket.id)
      if (availability === 'signed' && !(await isLeftUnsigned(context, payment, members))) {
        basketIdByPayment.set(payment.id, basket.id)
      } else if (availability !== 'free') {
        alone.add(payment.id)
      }
    }
  }
  if (basketIdByPayment.size > 0) {
    await requireCompleteBaskets(context, payments, { basketPayments, basketIdByPayment, pathOf })
  }
  return { basketIdByPayment, alone }
}

/**
 * Whether the bank has not accepted the signature of its basket for it, although it has for others: the basket is over. The
 * payment is one of the members, and found again: the end of an SCA session may just have changed them all.
 */
async function isLeftUnsigned(
  context: Context,
  { partnerId, id, status, dueDate }: AcknowledgedPayment,
  members: readonly BasketOfPayment[],
): Promise<boolean> {
  const orders = status === 'Unsigned' ? await findOrdersOf(context, partnerId, members) : []
  const isUnsigned = orders.some((order) => order.id === id && order.status === 'Unsigned')
  return isUnsigned && orders.some((order) => order.dueDate.equals(dueDate) && STATUSES_AFTER_SIGNING.has(order.status))
}

/**
 * Open SCA sessions were ended before, so no user of ours is signing the basket. An `unknown` basket cannot be deleted; if it
 * exists, the bank rejects the new authorisation.
 */
async function resolveBasket(context: Context, basket: Basket): Promise<BasketAvailability> {
  switch (basket.state) {
    case 'in-flight':
      return await resolveRequestedBasket(context, basket)
    case 'unsigned':
      return await resolveUnsignedBasket(context, basket)
    case 'rejected': {
      const countsUntil = basket.createdAt.add(REJECTION_VALID_FOR)
      return Temporal.Instant.compare(context.clock.now(), countsUntil) < 0 ? 'rejected' : 'free'
    }
    case 'signed':
      return 'signed'
    case 'unknown':
    case 'void':
      return 'free'
  }
}

async function resolveRequestedBasket(context: Context, basket: Basket): Promise<BasketAvailability> {
  const isLate = basket.dueAt !== null && Temporal.Instant.compare(basket.dueAt, context.clock.now()) <= 0
  if (isLate && (await markBasketUnknown(context, basket))) {
    return 'free'
  }
  throw basketBusyError('The bank is creating a basket with one of these payments')
}

async function resolveUnsignedBasket(context: Context, basket: Basket): Promise<BasketAvailability> {
  if (!isUnsignedBasket(basket) || (await deleteBasket(context, basket))) {
    return 'free'
  }
  if (await recordIfBasketSigned(context, basket)) {
    return 'signed'
  }
  throw basketBusyError('One of these payments is in an unsigned basket that the bank has not deleted yet')
}

function basketBusyError(text: string): Error {
  return apiError('AUTHENTICATION_TEMPORARY_UNAVAILABLE', `${text}. Try again in a moment`)
}

type BasketMembership = {
  readonly basketPayments: readonly BasketOfPayment[]
  readonly basketIdByPayment: ReadonlyMap<string, string>
  readonly pathOf: PathOf
}

/** A basket is signed completely, so all its open payments must have been requested; the bank must have shown which these are. */
async function requireCompleteBaskets(
  context: Context,
  payments: readonly AcknowledgedPayment[],
  { basketPayments, basketIdByPayment, pathOf }: BasketMembership,
): Promise<void> {
  const requested = new Set(payments.map(({ id }) => id))
  const signed = new Set(basketIdByPayment.values())
  const others = basketPayments.filter(({ basket, paymentId }) => signed.has(basket.id) && !requested.has(paymentId))
  const [first] = payments
  if (first === undefined || others.length === 0) {
    return
  }
  const found = await findOrdersOf(context, first.partnerId, others)
  const members = others.flatMap(({ basket, bankPaymentId }, n) => {
    const order = found[n]
    return order?.bankPaymentId === bankPaymentId ? [{ basket, order }] : []
  })
  if (members.some(({ order }) => order.signed && order.status === 'Unsigned')) {
    throw basketBusyError('The bank does not show yet which payments of a basket need another signature')
  }
  const open = members.filter(({ order }) => isOpenForSigning(order))
  const otherNamesByPath = new Map<string, ReadonlySet<string>>()
  for (const { id } of payments) {
    const ofBasket = open.filter(({ basket }) => basket.id === basketIdByPayment.get(id))
    const names = ofBasket.map(({ order }) => instructionOf(order).id)
    otherNamesByPath.set(pathOf(id), new Set([...(otherNamesByPath.get(pathOf(id)) ?? []), ...names]))
  }
  const errors = [...otherNamesByPath].flatMap(([path, otherNames]) => {
    const reason = `must be signed together with ${[...otherNames].join(', ')}: approve them in one request`
    return otherNames.size === 0 ? [] : [{ code: 'InvalidRequest', reason, path } as const]
  })
  if (errors.length > 0) {
    throw new InvalidRequestError(errors)
  }
}
