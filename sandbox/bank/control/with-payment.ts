/** Lets the control API do something with one payment, while no sweep does. */
import type { BankContext, BankTransaction } from '../bank-context.ts'
import type { Payment } from '../payments/payment.ts'
import { lockPayment } from '../payments/payment-store.ts'
import type { Notice } from '../push-notifications.ts'
import type { Sweep } from '../sweep.ts'
import { ControlRefusal } from './control-error.ts'

type PaymentWork = (transaction: BankTransaction, payment: Payment) => Promise<readonly Notice[]>

/** Does it with the payment locked, and answers how that stands afterwards. */
export async function withPayment(context: BankContext, sweep: Sweep, id: string, work: PaymentWork): Promise<object> {
  return await sweep.alone(async () => {
    const { notices, transactionStatus } = await context.database.query.transaction().execute(async (transaction) => {
      const payment = await lockPayment(transaction, id)
      if (payment === undefined) {
        throw new ControlRefusal(404, 'The bank holds no such payment')
      }
      const told = await work(transaction, payment)
      return { notices: told, transactionStatus: (await lockPayment(transaction, id))?.status }
    })
    context.push.send(notices)
    return { paymentId: id, transactionStatus }
  })
}
