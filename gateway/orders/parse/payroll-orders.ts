/** Defines a payroll as parsed against its bank, and builds its orders again from what is stored. */

import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { PayrollRequest, PayrollTransactionRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { PayrollWarning } from '../../../contract/payrolls/payroll-response.ts'
import type { BulkOrder, DomesticOrder } from '../../banks/connector/bank-order.ts'
import type { DebtorAccountNumber } from '../../countries/account-number.ts'
import { mapYieldingToEventLoop } from '../../platform/concurrency.ts'
import { type Money, parseMoney } from '../../platform/money.ts'
import type { PayrollContents } from '../payroll-order.ts'
import {
  type ListedDebtor,
  orderOfAcceptedPayment,
  type ParsedDebtor,
  parseDebtor,
  withListedDebtor,
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

/** The properties of an order that are not part of the contents. */
export type PayrollOrderTerms = {
  readonly countryCode: string
  readonly currency: string
  readonly dueDate: Temporal.PlainDate
  readonly listed: ListedDebtor | undefined
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

/** Returns one order per transaction; yields to the event loop in between. */
export async function buildSingleOrders(
  contents: PayrollContents,
  { countryCode, currency, dueDate, listed, ...terms }: PayrollOrderTerms,
): Promise<readonly DomesticOrder[]> {
  const { debtor = parseDebtor(countryCode, contents.from.account.bban) } = terms
  return await mapYieldingToEventLoop(contents.transactions, (transaction) => {
    const payment = toDomesticPayment(contents, transaction, { currency, dueDate: dueDate.toString() })
    return withListedDebtor(orderOfAcceptedPayment(payment, countryCode, debtor), listed)
  })
}

/** Returns the order of the first transaction. Throws when there is none. */
export async function buildSingleOrder(contents: PayrollContents, terms: PayrollOrderTerms): Promise<DomesticOrder> {
  const [order] = await buildSingleOrders(contents, terms)
  if (order === undefined) {
    throw new Error('An order requires a transaction')
  }
  return order
}

/**
 * Returns one order for all of these orders, which have one debtor and due date; `bulkId` identifies it at the bank. Throws
 * when there are none.
 */
export function bulkOrderOf(
  payments: readonly DomesticOrder[],
  bulk: Pick<BulkOrder, 'bulkId' | 'batchBooking'>,
): BulkOrder {
  const [first] = payments
  if (first === undefined) {
    throw new Error('An order requires a transaction')
  }
  return { ...bulk, debtor: first.debtor, dueDate: first.dueDate, payments }
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
