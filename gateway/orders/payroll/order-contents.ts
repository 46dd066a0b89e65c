/** Tells what a bank must show of an order to be believed that it is this one; orders of payrolls are opened for that. */
import { numberOf } from '../../banks/connector/domestic-order.ts'
import type { HeldOrder } from '../../banks/connector/order-at-bank.ts'
import type { Context } from '../../context.ts'
import type { Money } from '../../platform/money.ts'
import type { Payment, PayrollPayment } from '../payment.ts'
import { singleOrdersOf, totalOf } from './build-payroll-orders.ts'
import { payrollContents } from './payroll-contents.ts'
import { bulkIdOf } from './payroll-order.ts'

/** What an order orders: one payout to a receiver, or many, which come to a sum. */
export type OrderContents = {
  readonly amount: Money
  /** Null where there is more than one receiver. */
  readonly creditorBban: string | null
  /** Of a bulk, how the bank shows that. */
  readonly bulk: { readonly bulkId: string; readonly count: number } | null
  /** What an entry on the account may show of it: the whole, or any one of many. */
  readonly bookable: readonly Pick<Payment, 'amount' | 'creditorBban' | 'endToEndId'>[]
}

/** Of a payment its own columns; of an order of a payroll what is sealed. */
export async function contentsOf(
  context: Pick<Context, 'database' | 'seal'>,
  payment: Payment,
): Promise<OrderContents> {
  if (payment.type === 'Payroll') {
    return await payoutsOf(context, payment)
  }
  const { amount, creditorBban } = payment
  return { amount, creditorBban, bulk: null, bookable: [payment] }
}

async function payoutsOf(
  context: Pick<Context, 'database' | 'seal'>,
  { partnerId, id, ordered, dueDate, countryCode }: PayrollPayment,
): Promise<OrderContents> {
  const { payrollId, as, count } = ordered
  const { currency } = ordered.from
  const contents = await payrollContents(context, { partnerId, payrollId }, ordered)
  const amount = await totalOf(contents.transactions, currency)
  const orders = await singleOrdersOf(contents, { countryCode, currency, dueDate, debtorIban: null })
  const bookable = orders.map((order) => ({
    amount: order.amount,
    creditorBban: numberOf(order.creditor.account),
    endToEndId: order.endToEndId,
  }))
  const [only] = bookable
  if (as === 'single' && only !== undefined) {
    return { amount, creditorBban: only.creditorBban, bulk: null, bookable }
  }
  const bulkId = bulkIdOf(id)
  const whole = { amount, creditorBban: '', endToEndId: bulkId }
  return { amount, creditorBban: null, bulk: { bulkId, count }, bookable: [whole, ...bookable] }
}

/** Whether what the bank holds is this order: sum, account, and receiver or number of payouts. */
export function isHeldAs(
  { debtorBban }: Pick<Payment, 'debtorBban'>,
  { amount, creditorBban, bulk }: OrderContents,
  held: HeldOrder,
): boolean {
  const isSum = held.amount?.minor === amount.minor && held.amount.currency === amount.currency
  const isReceived =
    bulk === null
      ? held.creditorBban === creditorBban
      : held.bulk?.count === bulk.count && (held.bulk.bulkId === null || held.bulk.bulkId === bulk.bulkId)
  return isSum && held.debtorBban === debtorBban && isReceived
}
