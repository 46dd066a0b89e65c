/** Writes entries, booked and pending, as the standard and the bank show them. */
import { printMoney } from '../../../gateway/platform/money.ts'
import type { Account, BankProfile, EntryPart } from '../fixture.ts'
import { rulesOf } from '../national/rules-by-country.ts'
import type { Link } from '../xs2a/xs2a-links.ts'
import { counterpartyReference } from './account-reference.ts'
import type { Entry } from './entry-store.ts'
import type { Pending } from './pending-store.ts'

/** Lines of a message at banks that show it in lines. */
const LINE_LENGTH = 20

/** How an entry is shown: among others with a link to it, or by itself with all that is known of it. */
export type Showing = { readonly account: Account; readonly details?: Link; readonly isAlone?: boolean }

/** A booked entry; the amount is negative when money left the account. */
export function bookedTransaction(bank: BankProfile, entry: Entry, showing: Showing): object {
  const { currency } = entry
  return {
    ...bookedIds(bank, entry),
    ...(entry.end_to_end_id === null ? {} : { endToEndId: entry.end_to_end_id }),
    bookingDate: entry.booked_on.toString(),
    ...whatever(bank, entry, showing),
    bankTransactionCode: entry.amount_minor < 0n ? 'PMNT-ICDT-DMCT' : 'PMNT-RCDT-DMCT',
    balanceAfterTransaction: {
      balanceAmount: printMoney({ minor: entry.balance_after_minor, currency }),
      balanceType: 'interimBooked',
    },
    ...(showing.details === undefined ? {} : { _links: { transactionDetails: showing.details } }),
  }
}

/** A pending one: it has no day of booking, and at some banks another id than it will have. */
export function pendingTransaction(bank: BankProfile, pending: Pending, showing: Showing): object {
  return {
    ...pendingIds(bank, pending),
    ...(pending.end_to_end_id === null ? {} : { endToEndId: pending.end_to_end_id }),
    ...whatever(bank, pending, showing),
  }
}

/** The id of an entry in lists, by which it is read by itself; none where it has a reference alone. */
export function shownId(
  bank: BankProfile,
  { id, lasting_id: lasting }: Pick<Entry, 'id' | 'lasting_id'>,
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
  const transactionId = shownId(bank, entry)
  return {
    ...(transactionId === null ? {} : { transactionId }),
    entryReference: keepsReference(bank) ? referenceOf(entry) : entry.position.toString(),
  }
}

function pendingIds(bank: BankProfile, pending: Pending): object {
  const passing = { transactionId: `P-${pending.lasting_id}` }
  switch (bank.entries.keeps) {
    case 'id':
      return { transactionId: pending.lasting_id }
    case 'reference-alone':
      return { entryReference: referenceOf(pending) }
    case 'reference':
      return { ...passing, entryReference: referenceOf(pending) }
    default:
      return passing
  }
}

function keepsReference({ entries: { keeps } }: BankProfile): boolean {
  return keeps === 'reference' || keeps === 'reference-alone'
}

/** A reference has 35 characters at most. */
function referenceOf({ lasting_id: lasting }: Pick<Entry, 'lasting_id'>): string {
  return lasting.replaceAll('-', '')
}

/** What booked and pending entries have in common. */
function whatever(bank: BankProfile, entry: Pending, { account, isAlone }: Showing): object {
  const { amount_minor: minor, currency, parts, batch_size: batchSize } = entry
  const size = parts?.length ?? batchSize
  const { words } = rulesOf(bank)
  const isDebit = minor < 0n
  const isWhole = bank.entries.lists === 'full' || isAlone === true
  return {
    valueDate: entry.value_on.toString(),
    transactionAmount: printMoney({ minor, currency }),
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
  return bank.entries.message === 'text'
    ? { remittanceInformationUnstructured: message }
    : { remittanceInformationUnstructuredArray: linesOf(message) }
}

function linesOf(message: string): readonly string[] {
  return message.match(new RegExp(`.{1,${LINE_LENGTH}}`, 'gsu')) ?? []
}
