/** Withdraws at its bank what that holds of a payroll which is not to be carried out. */
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { Context } from '../context.ts'
import { atBank, followPayment } from '../payments/follow-payment.ts'
import type { Payment } from '../payments/payment.ts'
import { withdrawableOrders } from '../payments/payroll-order/placing-progress.ts'
import { withdrawOrder } from '../payments/withdraw-unsigned.ts'
import type { Payroll } from './payroll.ts'

/** As many at a time; the rest of a bank's places belongs to users who wait. */
const ORDERS_AT_ONCE = 4

/** Answers how many orders are left that the bank holds, or may hold, and nobody has signed to the end. */
export async function withdrawPayroll(context: Context, payroll: Payroll): Promise<number> {
  const { partnerId, id: payrollId } = payroll
  const queue = (await withdrawableOrders(context, { partnerId, payrollId })).values()
  const takeTurns = async () => {
    for (const order of queue) {
      await withdraw(context, order)
    }
  }
  await Promise.all(Array.from({ length: ORDERS_AT_ONCE }, takeTurns))
  return (await withdrawableOrders(context, { partnerId, payrollId })).length
}

/** A bank that cannot be asked is asked again; one that refuses is told of to people. */
async function withdraw(context: Context, order: Payment): Promise<void> {
  if (order.withdrawnAt !== null) {
    // The bank took that, and does not show it yet.
    await followPayment(context, order)
    return
  }
  try {
    await withdrawOrder(context, await atBank(context, order), order)
  } catch (error) {
    if (!(error instanceof BankRefusal)) {
      throw error
    }
    context.log.warn({ paymentId: order.id, refusal: error.kind }, 'an order of a payroll could not be withdrawn yet')
  }
}
