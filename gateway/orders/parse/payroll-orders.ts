/** Defines a payroll as parsed against its bank, and builds its orders again from what is stored. */

import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { PayrollRequest, PayrollTransactionRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { PayrollWarning } from '../../../contract/payrolls/payroll-response.ts'
import type { BulkOrder, BulkTransaction, DomesticOrder } from '../../banks/connector/bank-order.ts'
import type { DebtorAccountNumber } from '../../countries/account-number.ts'
import { type Money, parseMoney } from '../../platform/money.ts'
import { mapYieldingToEventLoop } from '../../platform/yield-to-event-loop.ts'
import type { PayrollContents } from '../payroll-order.ts'
import {
  domesticOrderOf,
  orderOfAcceptedPayment,
  type ParsedDebtor,
  parseDebtor,
  type ValidDomesticPayment,
  withDebtorIban,
} from './domestic-payment-parts.ts'

/** A payroll as requested, and the order of each of its transactions; the debtor's IBAN is the computed one. */
export type PayrollInstruction = {
  readonly ordered: PayrollRequest
  readonly debtor: DebtorAccountNumber
  readonly currency: string
  readonly dueDate: Temporal.PlainDate
  readonly total: Money
  readonly orders: readonly DomesticOrder[]
  readonly warnings: readonly PayrollWarning[]
}

/** The instruction of a payroll whose transactions are all valid. Throws when there is none, or when one is missing. */
export async function payrollInstructionOf(
  ordered: PayrollRequest,
  payments: readonly ValidDomesticPayment[],
  warnings: readonly PayrollWarning[],
): Promise<PayrollInstruction> {
  const orders = await mapYieldingToEventLoop(payments, domesticOrderOf)
  const [payment] = payments
  // An order without one of the salaries would be paid as if it were complete.
  if (payment === undefined || payments.length !== ordered.transactions.length) {
    throw new Error(`A payroll of ${ordered.transactions.length} transactions has ${payments.length} valid ones`)
  }
  const { debtor, dueDate, amount } = payment
  const minor = orders.reduce((sum, order) => sum + order.amount.minor, 0n)
  const { currency } = amount
  return { ordered, debtor, currency, dueDate, total: { minor, currency }, orders, warnings }
}

/** The properties of an order that are not part of the contents. */
export type PayrollOrderTerms = {
  readonly countryCode: string
  readonly currency: string
  readonly dueDate: Temporal.PlainDate
  /** The debtor's IBAN as the bank shows it; null where it shows none. */
  readonly debtorIban: string | null
  /** The debtor of all transactions, where it is parsed already. */
  readonly debtor?: ParsedDebtor
}

/** Converts a payroll transaction to a domestic payment, to which the same rules apply. */
export function toDomesticPayment(
  { from, purposeCode }: Pick<PayrollContents, 'from' | 'purposeCode'>,
  { metadata, name, account, amount, remittanceInformation }: PayrollTransactionRequest,
  { currency, dueDate }: { readonly currency: string; readonly dueDate: string },
): DomesticPayment {
  return {
    metadata,
    from: { account: { type: 'bban', bban: from.account.bban }, contactInformation: { name: from.name }, currency },
    to: { account: { type: 'bban', bban: account.bban }, contactInformation: { name } },
    amount,
    dueDate,
    purposeCode,
    remittanceInformation,
  }
}

/** Returns the order of the first transaction. Throws when there is none. */
export function buildSingleOrder(contents: PayrollContents, terms: PayrollOrderTerms): DomesticOrder {
  const [first] = contents.transactions
  if (first === undefined) {
    throw new Error('An order requires a transaction')
  }
  return buildDomesticOrder(contents, first, terms, debtorOf(contents, terms))
}

/** Returns one order per transaction; yields to the event loop in between. */
export async function buildSingleOrders(
  contents: PayrollContents,
  terms: PayrollOrderTerms,
): Promise<readonly DomesticOrder[]> {
  const debtor = debtorOf(contents, terms)
  return await mapYieldingToEventLoop(contents.transactions, (transaction) =>
    buildDomesticOrder(contents, transaction, terms, debtor),
  )
}

/** Returns one order for all transactions; `bulkId` identifies it at the bank. */
export async function buildBulkOrder(
  contents: PayrollContents,
  terms: PayrollOrderTerms,
  bulk: Pick<BulkOrder, 'bulkId' | 'batchBooking'>,
): Promise<BulkOrder> {
  return await bulkOrderOf(await buildSingleOrders(contents, terms), bulk)
}

/** Returns one order for all of these orders, which have one debtor and due date. Throws when there are none. */
export async function bulkOrderOf(
  orders: readonly DomesticOrder[],
  bulk: Pick<BulkOrder, 'bulkId' | 'batchBooking'>,
): Promise<BulkOrder> {
  const [first] = orders
  if (first === undefined) {
    throw new Error('An order requires a transaction')
  }
  const { debtor, dueDate } = first
  const payments = await mapYieldingToEventLoop(
    orders,
    ({ debtor: _debtor, dueDate: _dueDate, ...transaction }): BulkTransaction => transaction,
  )
  return { ...bulk, debtor, dueDate, payments }
}

/** Returns the sum of the transactions; yields to the event loop in between. Throws for an unvalidated amount. */
export async function totalOfTransactions(
  transactions: readonly Pick<PayrollTransactionRequest, 'amount'>[],
  currency: string,
): Promise<Money> {
  let minor = 0n
  await mapYieldingToEventLoop(transactions, ({ amount }) => {
    const money = parseMoney(amount.amount, amount.currency)
    if (money === undefined || money.currency !== currency) {
      throw new Error('Expected a validated amount')
    }
    minor += money.minor
  })
  return { minor, currency }
}

function debtorOf({ from }: Pick<PayrollContents, 'from'>, { countryCode, debtor }: PayrollOrderTerms): ParsedDebtor {
  return debtor ?? parseDebtor(countryCode, from.account.bban)
}

function buildDomesticOrder(
  contents: Pick<PayrollContents, 'from' | 'purposeCode'>,
  transaction: PayrollTransactionRequest,
  { currency, countryCode, dueDate, debtorIban }: PayrollOrderTerms,
  debtor: ParsedDebtor,
): DomesticOrder {
  const payment = toDomesticPayment(contents, transaction, { currency, dueDate: dueDate.toString() })
  return withDebtorIban(orderOfAcceptedPayment(payment, countryCode, debtor), debtorIban)
}
