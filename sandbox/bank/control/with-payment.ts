/** Runs a control action on one payment while the sweep is paused. */
import type { BankContext, BankTransaction } from '../bank-context.ts'
import type { Payment } from '../payments/payment.ts'
import { lockPayment } from '../payments/payment-store.ts'
import type { PushNotification } from '../push-notifications.ts'
import type { Sweep } from '../sweep.ts'
import { ControlError } from './control-error.ts'

type PaymentWork = (transaction: BankTransaction, payment: Payment) => Promise<readonly PushNotification[]>

/** Runs the action with the payment locked, and returns the payment's state afterwards. */
export async function withPayment(context: BankContext, sweep: Sweep, id: string, work: PaymentWork): Promise<object> {
  return await sweep.runExclusive(async () => {
    const { notifications, transactionStatus } = await context.database.query
      .transaction()
      .execute(async (transaction) => {
        const payment = await lockPayment(transaction, id)
        if (payment === undefined) {
          throw new ControlError(404, 'The bank has no such payment')
        }
        const reported = await work(transaction, payment)
        return { notifications: reported, transactionStatus: (await lockPayment(transaction, id))?.status }
      })
    context.push.send(notifications)
    return { paymentId: id, transactionStatus }
  })
}
