/** Ends a signing basket with its payments: signed by its user, or expired. */

import { isEnded } from '../authorisations/authorisation.ts'
import { authorisationsOf } from '../authorisations/authorisation-store.ts'
import { endAuthorisation } from '../authorisations/end-authorisation.ts'
import type { BankTransaction, Context } from '../context.ts'
import { acceptSignature } from '../payments/execute-payment.ts'
import { maySign, type Payment } from '../payments/payment.ts'
import { countSigners } from '../payments/require-right-to-pay.ts'
import type { PushNotification } from '../push-notifications.ts'
import { type Basket, statusAfterSigning } from './basket.ts'
import { lockBasket, lockPaymentsIn, paymentsIn, removePaymentsFromBasket, updateBasket } from './basket-store.ts'

/** Signs what is still open; payments cancelled in the meantime remain cancelled. */
export async function signBasket(
  context: Context,
  transaction: BankTransaction,
  { basket, payments }: { readonly basket: Basket; readonly payments: readonly Payment[] },
  at: Temporal.Instant,
): Promise<readonly PushNotification[]> {
  const notifications: PushNotification[] = []
  for (const payment of payments.filter(maySign)) {
    const signers = await countSigners(transaction, payment)
    notifications.push(...(await acceptSignature(context, transaction, payment, { signers, at })))
  }
  const status = statusAfterSigning(await paymentsIn(transaction, basket.id))
  await updateBasket(transaction, basket.id, { status, due_at: null })
  const { notification_uri: uri, notification_content: content } = basket
  const body = { basketId: basket.id, transactionStatus: status }
  return [...notifications, { uri, content, kind: 'PROCESS', last: status === 'ACTC', body }]
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
  const notifications: PushNotification[] = []
  for (const authorisation of await authorisationsOf(transaction, 'basket', id)) {
    if (!isEnded(authorisation)) {
      notifications.push(...(await endAuthorisation(transaction, authorisation, basket, 'expired')))
    }
  }
  await removePaymentsFromBasket(transaction, id)
  await updateBasket(transaction, id, { status: 'RJCT', due_at: null })
  const { notification_uri: uri, notification_content: content } = basket
  const body = { basketId: id, transactionStatus: 'RJCT' }
  return [...notifications, { uri, content, kind: 'PROCESS', last: true, body }]
}
