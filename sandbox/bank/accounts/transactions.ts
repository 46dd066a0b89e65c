/** Writes an account's booked and pending transactions as the standard shows them, page by page. */
import { printMoney } from '../../../gateway/foundation/money.ts'
import type { BankContext } from '../context.ts'
import { ibanOf, isNorwegianAccountNumber } from '../norwegian-account.ts'
import type { Payment } from '../payments/payment.ts'
import { pendingPaymentsFrom } from '../payments/payment-store.ts'
import type { Account, BankProfile } from '../world-shape.ts'
import { type Link, linkTo } from '../xs2a/links.ts'
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
    ...(wantsBooked ? { booked: shown.map((entry) => bookedTransaction(entry, detailsLink(entry.id))) } : {}),
    ...(wantsPending ? { pending: pending.map((payment) => pendingTransaction(account, payment)) } : {}),
    _links: {
      account: linkTo(context.addresses, bank, path),
      ...(next === undefined ? {} : { next: linkTo(context.addresses, bank, `${path}/transactions?${next}`) }),
    },
  }
}

/** A booked entry; the amount is negative when money left the account. */
export function bookedTransaction(entry: Entry, details?: Link): object {
  const { amount_minor: minor, currency } = entry
  return {
    transactionId: entry.id,
    entryReference: entry.position.toString(),
    bookingDate: entry.booked_on.toString(),
    valueDate: entry.booked_on.toString(),
    transactionAmount: printMoney({ minor, currency }),
    ...counterparty(minor < 0n ? 'creditor' : 'debtor', entry.counterparty, entry.counterparty_account),
    ...remittance(entry),
    bankTransactionCode: minor < 0n ? 'PMNT-ICDT-DMCT' : 'PMNT-RCDT-DMCT',
    proprietaryBankTransactionCode: minor < 0n ? 'Betaling' : 'Innbetaling',
    balanceAfterTransaction: {
      balanceAmount: printMoney({ minor: entry.balance_after_minor, currency }),
      balanceType: 'interimBooked',
    },
    ...(details === undefined ? {} : { _links: { transactionDetails: details } }),
  }
}

function pendingTransaction(account: Account, payment: Payment): object {
  return {
    transactionAmount: printMoney({ minor: -payment.amount_minor, currency: payment.currency }),
    valueDate: payment.execution_on.toString(),
    ...counterparty('creditor', payment.creditor_name, payment.creditor),
    debtorName: account.ownerName,
    ...remittance(payment),
    proprietaryBankTransactionCode: 'Betaling',
  }
}

function counterparty(role: 'creditor' | 'debtor', name: string, bban: string | null): object {
  const reference = bban !== null && isNorwegianAccountNumber(bban) ? { iban: ibanOf(bban), bban } : undefined
  return { [`${role}Name`]: name, ...(reference === undefined ? {} : { [`${role}Account`]: reference }) }
}

function remittance({ message, reference }: { message: string | null; reference: string | null }): object {
  if (reference !== null) {
    return { remittanceInformationStructuredArray: [{ reference, referenceType: 'SCOR' }] }
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
