/** Returns the contents of an order for comparison with what a bank shows; those of payroll orders are decrypted. */
import { creditorAccountNumber, type OrderShownByBank } from '../../banks/connector/bank-order.ts'
import type { Context } from '../../context.ts'
import type { Money } from '../../platform/money.ts'
import { buildSingleOrders, totalOfTransactions } from '../parse/payroll-orders.ts'
import type { Payment, PayrollPayment } from '../payment.ts'
import { bulkIdOf } from '../payroll-order.ts'
import { readPayrollContents } from '../store/payroll-contents.ts'

/** The contents of an order: one creditor, or many with a total amount. */
export type OrderContents = {
  readonly amount: Money
  /** Null where there is more than one creditor. */
  readonly creditorBban: string | null
  /** The properties by which the bank shows a bulk order. */
  readonly bulk: { readonly bulkId: string; readonly count: number } | null
  /** The possible entries on the account: the total and each single transaction. */
  readonly bookable: readonly Pick<Payment, 'amount' | 'creditorBban' | 'endToEndId'>[]
}

/** Uses the columns of a payment, or the sealed contents of a payroll order. */
export async function orderContentsOf(context: Context, payment: Payment): Promise<OrderContents> {
  if (payment.type === 'Payroll') {
    return await payrollOrderContentsOf(context, payment)
  }
  const { amount, creditorBban } = payment
  return { amount, creditorBban, bulk: null, bookable: [payment] }
}

async function payrollOrderContentsOf(
  context: Context,
  { partnerId, id, ordered, dueDate, countryCode }: PayrollPayment,
): Promise<OrderContents> {
  const { payrollId, as, count } = ordered
  const { currency } = ordered.from
  const contents = await readPayrollContents(context, { partnerId, payrollId }, ordered)
  const amount = await totalOfTransactions(contents.transactions, currency)
  const orders = await buildSingleOrders(contents, { countryCode, currency, dueDate, debtorIban: null })
  const bookable = orders.map((order) => ({
    amount: order.amount,
    creditorBban: creditorAccountNumber(order.creditor.account),
    endToEndId: order.endToEndId,
  }))
  const [only] = bookable
  if (as === 'single' && only !== undefined) {
    return { amount, creditorBban: only.creditorBban, bulk: null, bookable }
  }
  const bulkId = bulkIdOf(id)
  const total = { amount, creditorBban: '', endToEndId: bulkId }
  return { amount, creditorBban: null, bulk: { bulkId, count }, bookable: [total, ...bookable] }
}

/** Whether the bank's order is this one, by amount, debtor account and creditor or number of transactions. */
export function matchesBankOrder(
  { debtorBban }: Pick<Payment, 'debtorBban'>,
  { amount, creditorBban, bulk }: OrderContents,
  bankOrder: OrderShownByBank,
): boolean {
  const hasAmount = bankOrder.amount?.minor === amount.minor && bankOrder.amount.currency === amount.currency
  const hasCreditor =
    bulk === null
      ? bankOrder.creditorBban === creditorBban
      : bankOrder.bulk?.count === bulk.count &&
        (bankOrder.bulk.bulkId === null || bankOrder.bulk.bulkId === bulk.bulkId)
  return hasAmount && bankOrder.debtorBban === debtorBban && hasCreditor
}
