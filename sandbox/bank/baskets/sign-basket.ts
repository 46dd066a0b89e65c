/** Records a signature for all payments of a basket. */
import type { BankContext, BankTransaction } from '../bank-context.ts'
import { acceptSignature } from '../payments/execute-payment.ts'
import { maySign, type Payment } from '../payments/payment.ts'
import { countSigners } from '../payments/signers.ts'
import type { PushNotification } from '../push-notifications.ts'
import { type Basket, statusAfterSigning } from './basket.ts'
import { paymentsIn, updateBasket } from './basket-store.ts'

/** Signs what is still open; payments cancelled in the meantime remain cancelled. */
export async function signBasket(
  context: BankContext,
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
