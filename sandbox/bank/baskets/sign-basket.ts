/** Takes one more signature for everything in a basket. */
import type { BankContext, BankTransaction } from '../bank-context.ts'
import { acceptSignature } from '../payments/execute-payment.ts'
import { maySign, type Payment } from '../payments/payment.ts'
import { signersOf } from '../payments/signers.ts'
import type { Notice } from '../push-notifications.ts'
import { type Basket, statusAfterSigning } from './basket.ts'
import { paymentsIn, updateBasket } from './basket-store.ts'

/** Signs what still waits to be signed; what was cancelled in the meantime stays so. */
export async function signBasket(
  context: BankContext,
  transaction: BankTransaction,
  { basket, payments }: { readonly basket: Basket; readonly payments: readonly Payment[] },
  at: Temporal.Instant,
): Promise<readonly Notice[]> {
  const notices: Notice[] = []
  for (const payment of payments.filter(maySign)) {
    const signers = await signersOf(transaction, payment)
    notices.push(...(await acceptSignature(context, transaction, payment, { signers, at })))
  }
  const status = statusAfterSigning(await paymentsIn(transaction, basket.id))
  await updateBasket(transaction, basket.id, { status, due_at: null })
  const { notification_uri: uri, notification_content: content } = basket
  const body = { basketId: basket.id, transactionStatus: status }
  return [...notices, { uri, content, kind: 'PROCESS', last: status === 'ACTC', body }]
}
