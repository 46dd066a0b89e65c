/** What an authorisation needs of a signing basket; ends the basket with its payments, signed by its user or expired. */
import { findRow, updateRow } from '../../rows.ts'
import { endOpenAuthorisations } from '../authorisations/end-authorisation.ts'
import type { ScaTarget } from '../authorisations/sca-target.ts'
import type { Context } from '../context.ts'
import { type Basket, type BasketStatus, basketPath, isWaiting, statusAfterSigning } from '../payments/basket.ts'
import { paymentsIn, removePaymentsFromBasket } from '../payments/basket-store.ts'
import { acceptSignature } from '../payments/execute-payment.ts'
import { maySign, type Payment } from '../payments/payment.ts'
import { findCommonSigners, payerRejection, signLate } from '../payments/payment-sca-target.ts'
import { findSignerIds } from '../payments/signatures.ts'
import { statusNotification } from '../push-notifications.ts'

export async function lockBasketTarget(context: Context, id: string): Promise<ScaTarget | undefined> {
  const basket = await findRow(context, 'baskets', { id }, { lock: true })
  if (basket === undefined) {
    return undefined
  }
  const payments = await paymentsIn(context, id, { lock: true })
  const open = payments.filter(maySign)
  return {
    resource: basket,
    path: basketPath(basket),
    isOpen: isWaiting(basket) && open.length > 0,
    signedBy: await findCommonSigners(context, open),
    rejectionReason: (user) => payerRejection(context, payments, user),
    storeNotificationTarget: (change) => updateRow(context, 'baskets', basket, change),
    approve: ({ at }) => signBasket(context, { basket, payments }, at),
    signInNetbank: (userId) => signLate(context, payments, userId),
  }
}

/** Signs what is still open; payments cancelled in the meantime remain cancelled. */
async function signBasket(
  context: Context,
  { basket, payments }: { readonly basket: Basket; readonly payments: readonly Payment[] },
  at: Temporal.Instant,
): Promise<void> {
  for (const payment of payments.filter(maySign)) {
    const { size: signers } = await findSignerIds(context, payment)
    await acceptSignature(context, payment, { signers, at })
  }
  const status = statusAfterSigning(await paymentsIn(context, basket.id))
  await updateRow(context, 'baskets', basket, { status, due_at: null })
  notifyBasketStatus(context, basket, status)
}

/** Expires a basket that is due at an instant; a partly signed one awaits further signatures as its payments do. */
export async function expireBasket(context: Context, id: string, at: Temporal.Instant): Promise<void> {
  const basket = await findRow(context, 'baskets', { id }, { lock: true })
  if (basket?.due_at?.equals(at) !== true) {
    return
  }
  if (basket.status !== 'RCVD') {
    await updateRow(context, 'baskets', basket, { due_at: null })
    return
  }
  await paymentsIn(context, id, { lock: true })
  await endOpenAuthorisations(context, 'basket', basket, 'expired')
  await removePaymentsFromBasket(context, id)
  await updateRow(context, 'baskets', basket, { status: 'RJCT', due_at: null })
  notifyBasketStatus(context, basket, 'RJCT')
}

function notifyBasketStatus({ push }: Context, basket: Basket, status: BasketStatus): void {
  const last = status === 'ACTC' || status === 'RJCT'
  push.send(statusNotification(basket, last, { basketId: basket.id, transactionStatus: status }))
}
