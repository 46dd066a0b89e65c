/** Renders accounts, balances, and booked and pending entries in the format of the standard and the bank. */
import { formatMoney, type Money } from '../../../gateway/platform/money.ts'
import { formatInstant } from '../bank-calendar.ts'
import type { Context } from '../context.ts'
import type { Account, BankProfile, EntryPart } from '../fixture.ts'
import { isCompany } from '../fixture-lookup.ts'
import { balanceOf, type Entry } from '../ledger/account-store.ts'
import { accountReference, counterpartyReference, rulesOf } from '../national/rules-by-country.ts'
import { findPendingPayments } from '../payments/payment-store.ts'
import { type Link, linkTo } from '../xs2a/xs2a-links.ts'
import type { ReadableAccount } from './authorise-read.ts'
import type { Pending } from './pending-store.ts'

/** Length of a line at banks that send the message as a list. */
const LINE_LENGTH = 20

/** How an entry is rendered: in a list with a link to its details, or alone with all details. */
type EntryRenderOptions = { readonly account: Account; readonly details?: Link; readonly isAlone?: boolean }

/** The amount is negative when money left the account. */
export function renderBookedTransaction(bank: BankProfile, entry: Entry, showing: EntryRenderOptions): object {
  const { currency } = entry
  return {
    ...bookedIds(bank, entry),
    bookingDate: entry.booked_on.toString(),
    ...sharedTransactionFields(bank, entry, showing),
    bankTransactionCode: entry.amount_minor < 0n ? 'PMNT-ICDT-DMCT' : 'PMNT-RCDT-DMCT',
    balanceAfterTransaction: {
      balanceAmount: formatMoney({ minor: entry.balance_after_minor, currency }),
      balanceType: 'interimBooked',
    },
    ...(showing.details === undefined ? {} : { _links: { transactionDetails: showing.details } }),
  }
}

/** A pending entry has no booking date, and at some banks an id that changes with booking. */
export function renderPendingTransaction(bank: BankProfile, pending: Pending, showing: EntryRenderOptions): object {
  return {
    ...pendingIds(bank, pending),
    ...sharedTransactionFields(bank, pending, showing),
  }
}

/** The id of an entry in lists, by which its details are read; absent where only a reference exists. */
export function displayedEntryId(
  bank: BankProfile,
  { id, persistent_id: lasting }: Pick<Entry, 'id' | 'persistent_id'>,
): string | null {
  switch (bank.entries.keeps) {
    case 'id':
      return lasting
    case 'reference-alone':
      return null
    default:
      return id
  }
}

function bookedIds(bank: BankProfile, entry: Entry): object {
  const transactionId = displayedEntryId(bank, entry)
  return {
    ...(transactionId === null ? {} : { transactionId }),
    entryReference: keepsEntryReference(bank) ? referenceOf(entry) : entry.position.toString(),
  }
}

function pendingIds(bank: BankProfile, pending: Pending): object {
  const passing = { transactionId: `P-${pending.persistent_id}` }
  switch (bank.entries.keeps) {
    case 'id':
      return { transactionId: pending.persistent_id }
    case 'reference-alone':
      return { entryReference: referenceOf(pending) }
    case 'reference':
      return { ...passing, entryReference: referenceOf(pending) }
    default:
      return passing
  }
}

function keepsEntryReference({ entries: { keeps } }: BankProfile): boolean {
  return keeps === 'reference' || keeps === 'reference-alone'
}

/** A reference has at most 35 characters. */
function referenceOf({ persistent_id: lasting }: Pick<Entry, 'persistent_id'>): string {
  return lasting.replaceAll('-', '')
}

/** The fields that booked and pending entries have in common. */
function sharedTransactionFields(bank: BankProfile, entry: Pending, { account, isAlone }: EntryRenderOptions): object {
  const { amount_minor: minor, currency, parts, batch_size: batchSize } = entry
  const size = parts?.length ?? batchSize
  const { words } = rulesOf(bank)
  const isDebit = minor < 0n
  const isWhole = bank.entries.lists === 'full' || isAlone === true
  return {
    ...(entry.end_to_end_id === null ? {} : { endToEndId: entry.end_to_end_id }),
    valueDate: entry.value_on.toString(),
    transactionAmount: formatMoney({ minor, currency }),
    ...counterparty(bank, isDebit ? 'creditor' : 'debtor', entry.counterparty, entry.counterparty_account),
    [isDebit ? 'debtorName' : 'creditorName']: account.ownerName,
    ...(isWhole ? remittance(bank, entry) : {}),
    ...(size === null ? {} : { batchIndicator: true, batchNumberOfTransactions: size }),
    ...(parts !== null && isAlone === true ? { entryDetails: parts.map((part) => partOf(bank, part, currency)) } : {}),
    proprietaryBankTransactionCode: isDebit ? words.paid : words.received,
  }
}

function partOf(bank: BankProfile, part: EntryPart, currency: string): object {
  const role = part.amount.startsWith('-') ? 'creditor' : 'debtor'
  return {
    ...(part.endToEndId === undefined ? {} : { endToEndId: part.endToEndId }),
    transactionAmount: { currency, amount: part.amount },
    ...counterparty(bank, role, part.counterparty, part.account ?? null),
    ...(part.message === undefined ? {} : { remittanceInformationUnstructured: part.message }),
  }
}

function counterparty(bank: BankProfile, role: 'creditor' | 'debtor', name: string, number: string | null): object {
  const reference = counterpartyReference(bank, number)
  return { [`${role}Name`]: name, ...(reference === undefined ? {} : { [`${role}Account`]: reference }) }
}

function remittance(bank: BankProfile, { message, reference }: Pick<Entry, 'message' | 'reference'>): object {
  if (reference !== null) {
    const structured = { reference, referenceType: bank.reference.types[0] }
    return bank.reference.member === 'list'
      ? { remittanceInformationStructuredArray: [structured] }
      : { remittanceInformationStructured: reference }
  }
  if (message === null) {
    return {}
  }
  return bank.message.member === 'text'
    ? { remittanceInformationUnstructured: message }
    : { remittanceInformationUnstructuredArray: message.match(new RegExp(`.{1,${LINE_LENGTH}}`, 'gsu')) ?? [] }
}

/** One account, with its balances when they are requested and the consent covers them. */
export async function renderAccount(
  context: Context,
  bank: BankProfile,
  { opened, account }: ReadableAccount,
  withBalance: boolean,
): Promise<object> {
  const path = `/accounts/${opened.resource_id}`
  const balancesLink = opened.balances ? { balances: linkTo(context.addresses, bank, `${path}/balances`) } : {}
  const transactionsLink = opened.transactions
    ? { transactions: linkTo(context.addresses, bank, `${path}/transactions`) }
    : {}
  return {
    resourceId: opened.resource_id,
    ...accountReference(bank, account),
    name: account.name,
    product: account.product,
    cashAccountType: account.cashAccountType,
    status: 'enabled',
    bic: bank.bic,
    usage: isCompany(context.fixture, account.owner) ? 'ORGA' : 'PRIV',
    ownerName: account.ownerName,
    ...(withBalance && opened.balances ? { balances: await renderBalances(context, bank, account) } : {}),
    _links: { ...balancesLink, ...transactionsLink },
  }
}

/** The booked balance, and the available balance less pending payments. */
export async function renderBalances(
  context: Context,
  bank: BankProfile,
  account: Account,
): Promise<readonly object[]> {
  const { balance_minor: booked, currency } = await balanceOf(context, bank.bic, account.bban)
  const pending = await findPendingPayments(context, bank.bic, account.bban)
  const reserved = pending.reduce((sum, payment) => sum + payment.amount_minor, 0n)
  const available = booked > reserved ? booked - reserved : 0n
  return [
    balance(context, bank, 'interimBooked', { minor: booked, currency }),
    balance(context, bank, 'interimAvailable', { minor: available, currency }),
  ]
}

function balance(context: Context, bank: BankProfile, balanceType: string, money: Money): object {
  return {
    balanceAmount: formatMoney(money),
    balanceType,
    lastChangeDateTime: formatInstant(bank, context.clock.now()),
  }
}
