/** Has a basket that nobody signed untied at its bank, so that its payments can be signed in other ways. */
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { Context } from '../context.ts'
import { findOrdersOf } from '../orders/find-payments.ts'
import { isOpenForSigning } from '../orders/payment.ts'
import { followPayment } from '../payments/follow-payment.ts'
import { retryAt } from '../platform/jobs/retry-backoff.ts'
import type { Basket, HeldBasket } from './baskets/basket.ts'
import { listBasketPayments, listBasketsOf, moveBasket, setBasketDue } from './baskets/basket-store.ts'
import { signerAtBank } from './signer-at-bank.ts'

/** Between the attempts at a bank that does not untie it. */
const AGAIN = { leastSeconds: 10, mostSeconds: 3600 }

/** Whether the bank has untied it. A bank that does not, or cannot be asked, is asked again by a sweep. */
export async function dropBasket(context: Context, basket: HeldBasket): Promise<boolean> {
  const { database, clock } = context
  try {
    const { connector, caller } = await signerAtBank(context, basket)
    await connector.baskets?.drop(caller, basket.bankBasketId)
    await moveBasket(database, basket, { state: 'void', dueAt: null })
    return true
  } catch (error) {
    if (!(error instanceof BankRefusal)) {
      throw error
    }
    context.log.info({ basketId: basket.id, refusal: error.kind }, 'a basket was not untied at its bank')
    await setBasketDue(database, basket, retryAt(basket.createdAt, clock.now(), AGAIN))
    return false
  }
}

/** Unties what an approval that has ended, or was never kept, leaves at the bank. */
export async function dropBasketsOf(
  context: Context,
  approval: Pick<Basket, 'partnerId' | 'approvalId'>,
): Promise<void> {
  for (const basket of await listBasketsOf(context.database, approval)) {
    if (isUnsigned(basket)) {
      await dropBasket(context, basket)
    }
  }
}

/** Whether the bank holds it, and nobody has signed it as far as we know. */
export function isUnsigned(basket: Basket): basket is HeldBasket {
  return basket.state === 'held' && basket.bankBasketId !== null
}

/** Somebody may have signed it at the bank, which then never unties it: its orders tell. */
export async function noteIfSigned(context: Context, basket: HeldBasket): Promise<boolean> {
  const laid = await listBasketPayments(context.database, basket)
  const found = await findOrdersOf(
    context,
    basket.partnerId,
    laid.map(({ paymentId }) => paymentId),
  )
  const bankIds = new Set(laid.map(({ bankPaymentId }) => bankPaymentId))
  const inside = found.filter(({ bankPaymentId }) => bankPaymentId !== null && bankIds.has(bankPaymentId))
  const read = await Promise.all(inside.map((payment) => followPayment(context, payment)))
  const isSigned = read.every((payment) => !isOpenForSigning(payment) || payment.statusReason === 'PartlySigned')
  return isSigned && (await moveBasket(context.database, basket, { state: 'signed', dueAt: null }))
}
