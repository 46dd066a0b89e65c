/** Renders booked and pending entries in the format of the standard and the bank. */
import { formatMoney } from '../../../gateway/platform/money.ts'
import type { Account, BankProfile, EntryPart } from '../fixture.ts'
import type { Entry } from '../ledger/account-store.ts'
import { counterpartyReference, rulesOf } from '../national/rules-by-country.ts'
import type { Link } from '../xs2a/xs2a-links.ts'
import type { Pending } from './pending-store.ts'

/** Length of a line at banks that send the message as a list. */
const LINE_LENGTH = 20

/** How an entry is rendered: in a list with a link to its details, or alone with all details. */
export type EntryRenderOptions = { readonly account: Account; readonly details?: Link; readonly isAlone?: boolean }

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
