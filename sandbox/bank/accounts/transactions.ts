/** Writes an account's booked and pending transactions as the standard shows them, page by page. */
import { printMoney } from '../../../gateway/foundation/money.ts'
import type { BankContext } from '../context.ts'
import { rulesOf } from '../national/national-rules.ts'
import type { Payment } from '../payments/payment.ts'
import { pendingPaymentsFrom } from '../payments/payment-store.ts'
import type { Remittance } from '../payments/remittance.ts'
import type { Account, BankProfile } from '../world-shape.ts'
import { type Link, linkTo } from '../xs2a/links.ts'
import { counterpartyReference } from './account-reference.ts'
import type { ReadableAccount } from './admit-read.ts'
import { type Entry, entriesBetween } from './entry-store.ts'
import type { TransactionQuery } from './transaction-query.ts'

/** The report of one page. */
export async function transactionReport(
  context: BankContext,
  bank: BankProfile,
  { opened, account }: ReadableAccount,
  query: TransactionQuery,
): Promise<object> {
  const path = `/accounts/${opened.resource_id}`
  const wantsBooked = query.bookingStatus !== 'pending'
  const wantsPending = query.bookingStatus !== 'booked' && query.after === null
  const entries = wantsBooked
    ? await entriesBetween(context.database.query, account, query, bank.transactionsPerPage + 1)
    : []
  const shown = entries.slice(0, bank.transactionsPerPage)
  const pending = wantsPending ? await pendingPaymentsFrom(context.database.query, bank.bic, account.bban) : []
  const next = entries.length > shown.length ? nextPage(query, shown.at(-1)) : undefined
  const detailsLink = (id: string) => linkTo(context.addresses, bank, `${path}/transactions/${id}`)
  return {
    ...(wantsBooked ? { booked: shown.map((entry) => bookedTransaction(bank, entry, detailsLink(entry.id))) } : {}),
    ...(wantsPending ? { pending: pending.map((payment) => pendingTransaction(bank, account, payment)) } : {}),
    _links: {
      account: linkTo(context.addresses, bank, path),
      ...(next === undefined ? {} : { next: linkTo(context.addresses, bank, `${path}/transactions?${next}`) }),
    },
  }
}

/** A booked entry; the amount is negative when money left the account. */
export function bookedTransaction(bank: BankProfile, entry: Entry, details?: Link): object {
  const { amount_minor: minor, currency } = entry
  const { words } = rulesOf(bank)
  return {
    transactionId: entry.id,
    entryReference: entry.position.toString(),
    ...(entry.end_to_end_id === null ? {} : { endToEndId: entry.end_to_end_id }),
    bookingDate: entry.booked_on.toString(),
    valueDate: entry.booked_on.toString(),
    transactionAmount: printMoney({ minor, currency }),
    ...counterparty(bank, minor < 0n ? 'creditor' : 'debtor', entry.counterparty, entry.counterparty_account),
    ...remittance(bank, entry),
    bankTransactionCode: minor < 0n ? 'PMNT-ICDT-DMCT' : 'PMNT-RCDT-DMCT',
    proprietaryBankTransactionCode: minor < 0n ? words.paid : words.received,
    balanceAfterTransaction: {
      balanceAmount: printMoney({ minor: entry.balance_after_minor, currency }),
      balanceType: 'interimBooked',
    },
    ...(details === undefined ? {} : { _links: { transactionDetails: details } }),
  }
}

function pendingTransaction(bank: BankProfile, account: Account, payment: Payment): object {
  return {
    transactionAmount: printMoney({ minor: -payment.amount_minor, currency: payment.currency }),
    valueDate: payment.execution_on.toString(),
    ...counterparty(bank, 'creditor', payment.creditor_name, payment.creditor),
    debtorName: account.ownerName,
    ...remittance(bank, payment),
    proprietaryBankTransactionCode: rulesOf(bank).words.paid,
  }
}

function counterparty(bank: BankProfile, role: 'creditor' | 'debtor', name: string, number: string | null): object {
  const reference = counterpartyReference(bank, number)
  return { [`${role}Name`]: name, ...(reference === undefined ? {} : { [`${role}Account`]: reference }) }
}

function remittance(bank: BankProfile, { message, reference }: Remittance): object {
  if (reference !== null) {
    const structured = { reference, referenceType: bank.reference.types[0] }
    return bank.reference.member === 'single'
      ? { remittanceInformationStructured: reference }
      : { remittanceInformationStructuredArray: [structured] }
  }
  return message === null ? {} : { remittanceInformationUnstructured: message }
}

function nextPage(query: TransactionQuery, last: Entry | undefined): URLSearchParams {
  return new URLSearchParams({
    bookingStatus: query.bookingStatus,
    dateFrom: query.from.toString(),
    dateTo: query.to.toString(),
    page: `${last?.booked_on}.${last?.position}`,
  })
}
