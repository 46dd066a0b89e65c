/** What an authorisation needs of a signing basket; ends the basket with its payments, signed by its user or expired. */
import { endOpenAuthorisations } from '../authorisations/end-authorisation.ts'
import type { ScaTarget } from '../authorisations/sca-target.ts'
import type { BankTransaction, Context } from '../context.ts'
import { type Basket, basketPath, isWaiting, statusAfterSigning } from '../payments/basket.ts'
import {
  lockBasket,
  lockPaymentsIn,
  paymentsIn,
  removePaymentsFromBasket,
  updateBasket,
} from '../payments/basket-store.ts'
import { acceptSignature } from '../payments/execute-payment.ts'
import { maySign, type Payment } from '../payments/payment.ts'
import { findCommonSigners, payerRejection, signLate } from '../payments/payment-sca-target.ts'
import { findSignerIds } from '../payments/signatures.ts'
import { type PushNotification, statusNotification } from '../push-notifications.ts'

export async function lockBasketTarget(
  context: Context,
  transaction: BankTransaction,
  id: string,
): Promise<ScaTarget | undefined> {
  const basket = await lockBasket(transaction, id)
  if (basket === undefined) {
    return undefined
  }
  const payments = await lockPaymentsIn(transaction, id)
  const open = payments.filter(maySign)
  return {
    resource: basket,
    path: basketPath(basket),
    isOpen: isWaiting(basket) && open.length > 0,
    signedBy: await findCommonSigners(transaction, open),
    rejectionReason: (user) => payerRejection(context, payments, user),
    storeNotificationTarget: (change) => updateBasket(transaction, id, change),
    approve: ({ at }) => signBasket(context, transaction, { basket, payments }, at),
    signInNetbank: (userId) => signLate(context, transaction, payments, userId),
  }
}

/** Signs what is still open; payments cancelled in the meantime remain cancelled. */
async function signBasket(
  context: Context,
  transaction: BankTransaction,
  { basket, payments }: { readonly basket: Basket; readonly payments: readonly Payment[] },
  at: Temporal.Instant,
): Promise<readonly PushNotification[]> {
  const notifications: PushNotification[] = []
  for (const payment of payments.filter(maySign)) {
    const { size: signers } = await findSignerIds(transaction, payment)
    notifications.push(...(await acceptSignature(context, transaction, payment, { signers, at })))
  }
  const status = statusAfterSigning(await paymentsIn(transaction, basket.id))
  await updateBasket(transaction, basket.id, { status, due_at: null })
  const body = { basketId: basket.id, transactionStatus: status }
  return [...notifications, statusNotification(basket, status === 'ACTC', body)]
}

/** Expires a basket that is due at an instant; a partly signed one awaits further signatures as its payments do. */
export async function expireBasket(
  transaction: BankTransaction,
  id: string,
  at: Temporal.Instant,
): Promise<readonly PushNotification[]> {
  const basket = await lockBasket(transaction, id)
  if (basket?.due_at?.equals(at) !== true) {
    return []
  }
  if (basket.status !== 'RCVD') {
    await updateBasket(transaction, id, { due_at: null })
    return []
  }
  await lockPaymentsIn(transaction, id)
  const ended = await endOpenAuthorisations(transaction, 'basket', basket, 'expired')
  await removePaymentsFromBasket(transaction, id)
  await updateBasket(transaction, id, { status: 'RJCT', due_at: null })
  return [...ended, statusNotification(basket, true, { basketId: id, transactionStatus: 'RJCT' })]
}
