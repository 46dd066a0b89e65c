/** Rebuilds a stored order: for its bank with identical amounts, creditors and dates, as a file, and to compare it with what the bank shows. */
import type { Bank } from '../../banks/connector/bank.ts'
import {
  type BulkOrder,
  type BulkTransaction,
  type CrossBorderOrder,
  creditorAccountNumber,
  type DomesticOrder,
} from '../../banks/connector/bank-order.ts'
import type { OrderFile } from '../../banks/connector/file-product.ts'
import { type DebtorAccount, findAccountByBban } from '../../consents/accounts/find-account.ts'
import { type Consent, requireBankConsentId } from '../../consents/consent.ts'
import { consentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import type { Money } from '../../platform/money.ts'
import type { Payment, PayrollPayment } from '../payment.ts'
import type { PaymentFile } from '../payment-file.ts'
import type { PayrollTerms } from '../payroll.ts'
import { bulkIdOf, type PayrollKey, TRANSACTIONS_PER_CHUNK } from '../payroll-order.ts'
import { findPayrollTerms, readPayrollContents } from '../store/payroll-store.ts'
import { orderOfAcceptedCrossBorderPayment } from './cross-border-parts.ts'
import { type ListedDebtor, orderOfAcceptedPayment, parseDebtor, withListedDebtor } from './domestic-payment-parts.ts'
import {
  buildSingleOrder,
  buildSingleOrders,
  bulkOrderOf,
  type PayrollOrderTerms,
  totalOfTransactions,
} from './payroll-orders.ts'

/** An order for one of a bank's products. */
export type OrderForBank =
  | { readonly product: 'domestic'; readonly order: DomesticOrder }
  | { readonly product: 'cross-border'; readonly order: CrossBorderOrder }
  | { readonly product: 'bulk'; readonly order: BulkOrder }

/** The account that an order debits, as the consent has it. */
export async function findDebtorAccount(
  context: Context,
  consent: Consent,
  { debtorBban: bban, ordered }: Pick<Payment, 'debtorBban' | 'ordered'>,
): Promise<DebtorAccount | undefined> {
  return await findAccountByBban(context, consent, { bban, currency: ordered.from.currency })
}

/** Returns undefined for files, and for funding orders: an exchange rate is not given twice. */
export async function rebuildOrder(
  context: Context,
  bank: Bank,
  payment: Payment,
  listed: ListedDebtor | undefined,
): Promise<OrderForBank | undefined> {
  if (payment.exchange !== null) {
    return undefined
  }
  const { countryCode } = bank
  switch (payment.type) {
    case 'Domestic': {
      const order = orderOfAcceptedPayment(payment.ordered, countryCode)
      return { product: 'domestic', order: withListedDebtor(order, listed) }
    }
    case 'CrossBorder': {
      const order = orderOfAcceptedCrossBorderPayment(payment.ordered, countryCode)
      return { product: 'cross-border', order: withListedDebtor(order, listed) }
    }
    case 'Payroll':
      return await rebuildPayrollOrder(context, bank, payment, listed)
  }
}

async function rebuildPayrollOrder(
  context: Context,
  { countryCode, profile }: Bank,
  { partnerId, id, ordered, dueDate }: PayrollPayment,
  listed: ListedDebtor | undefined,
): Promise<OrderForBank | undefined> {
  if (ordered.as === 'file') {
    return undefined
  }
  const contents = await readPayrollContents(context, { partnerId, payrollId: ordered.payrollId }, ordered)
  const terms = { countryCode, currency: ordered.from.currency, dueDate, listed }
  if (ordered.as === 'single') {
    return { product: 'domestic', order: await buildSingleOrder(contents, terms) }
  }
  const bulk = { bulkId: bulkIdOf(id), batchBooking: profile.payroll?.batchBooking === true }
  return { product: 'bulk', order: bulkOrderOf(await buildSingleOrders(contents, terms), bulk) }
}

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
  const orders = await buildSingleOrders(contents, { countryCode, currency, dueDate, listed: undefined })
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

/** The consent may have ended since; a payroll that was ordered under it is sent nevertheless. */
export async function buildOrderFile(
  context: Context,
  bank: Bank,
  { messageId, createdAt }: PaymentFile,
  payment: PayrollPayment,
): Promise<OrderFile> {
  const { partnerId, ordered, dueDate, consentId } = payment
  const { payrollId, count } = ordered
  const consent = await consentOf(context, { partnerId, consentId })
  if (consent === undefined) {
    throw new Error(`The consent of payroll ${payrollId} does not exist`)
  }
  const { from, total } = await readPayrollTerms(context, { partnerId, id: payrollId })
  const listed = await findAccountByBban(context, consent, { bban: payment.debtorBban, currency: total.currency })
  const { countryCode } = bank
  const debtor = parseDebtor(countryCode, from.account.bban)
  const terms = { countryCode, currency: total.currency, dueDate, listed, debtor }
  const batchBooking = bank.profile.payroll?.batchBooking === true
  return {
    messageId,
    createdAt,
    organisationNumber: payment.organisationNumber,
    agreement: requireBankConsentId(consent),
    debtor: { bban: payment.debtorBban, iban: listed?.iban ?? null, name: from.name, currency: total.currency },
    dueDate,
    batchBooking,
    count,
    total,
    payments: streamTransactions(context, { partnerId, payrollId }, count, terms),
  }
}

/** The debtor, purpose and total of a payroll. Throws when it does not exist. */
export async function readPayrollTerms(
  context: Context,
  key: { readonly partnerId: string; readonly id: string },
): Promise<PayrollTerms> {
  const terms = await findPayrollTerms(context, key)
  if (terms === undefined) {
    throw new Error(`Payroll ${key.id} has no terms`)
  }
  return terms
}

/** Decrypts a chunk when the previous one is written: a payroll is never completely in memory. */
async function* streamTransactions(
  context: Context,
  key: PayrollKey,
  count: number,
  terms: PayrollOrderTerms,
): AsyncIterable<readonly BulkTransaction[]> {
  for (let first = 0; first < count; first += TRANSACTIONS_PER_CHUNK) {
    const contents = await readPayrollContents(context, key, {
      first,
      count: Math.min(TRANSACTIONS_PER_CHUNK, count - first),
    })
    yield await buildSingleOrders(contents, terms)
  }
}
