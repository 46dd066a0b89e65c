/** Translates entries on an account, booked or pending. */

import type { Money } from '../../../../platform/money.ts'
import type { BankEntry, EntryExchange, EntryParty, EntryPart as Part } from '../../../connector/bank-account.ts'
import { BankRefusal } from '../../../connector/bank-error.ts'
import type { Bank } from '../../../directory/bank.ts'
import { type Dialect, dialectOf } from '../dialect.ts'
import { dateOf } from '../translate-status.ts'
import type { AccountReference } from '../wire.ts'
import { numberIn } from './account-reference.ts'
import { signedMoney } from './translate-accounts.ts'
import {
  type Details,
  type Entry,
  type EntryPart,
  type Exchange,
  readBalanceAfter,
  readExchanges,
  readParts,
} from './wire-accounts.ts'

/** What banks write where nobody gave an end-to-end id (ISO 20022). */
const NOT_PROVIDED = 'NOTPROVIDED'

/** Where an entry comes from, as far as it changes how it is read. */
export type EntryOrigin = { readonly countryCode: string; readonly lastingId: Dialect['entries']['lastingId'] }

/** One entry; undefined where its amount cannot be read. */
export function entryOf(
  entry: Entry,
  status: BankEntry['status'],
  { countryCode, lastingId }: EntryOrigin,
): BankEntry | undefined {
  const amount = signedMoney(entry.transactionAmount.amount, entry.transactionAmount.currency)
  if (amount === null) {
    return undefined
  }
  const isDebit = amount.minor < 0n
  const told = {
    ...counterpartyOf(entry, isDebit, countryCode),
    ...remittanceOf(entry),
    transactionId: entry.transactionId ?? entry.entryReference ?? null,
    entryReference: entry.entryReference ?? null,
    endToEndId: endToEndIdOf(entry),
    amount,
    bookedOn: dateOf(entry.bookingDate),
    valueOn: dateOf(entry.valueDate),
  }
  return {
    ...told,
    status,
    lastingId: lastingIdOf(entry, told, lastingId),
    own: partyOf(entry, isDebit ? 'debtor' : 'creditor', countryCode),
    ...kindOf(entry),
    balanceAfter: balanceAfterOf(entry),
    batch: batchOf(entry),
    parts: partsOf(entry, isDebit, countryCode),
    exchanges: [readExchanges(entry.currencyExchange) ?? []].flat().map((exchange) => exchangeOf(exchange)),
  }
}

/** The same; what cannot be read is refused, because an account that lacks an entry is wrong. */
export function readableEntry(entry: Entry, status: BankEntry['status'], origin: EntryOrigin): BankEntry {
  const readable = entryOf(entry, status, origin)
  if (readable === undefined) {
    throw new BankRefusal('unavailable', 'The bank tells of an entry whose amount cannot be read')
  }
  return readable
}

export function originOf({ countryCode, profile }: Bank): EntryOrigin {
  return { countryCode, lastingId: dialectOf(profile).entries.lastingId }
}

/** The entry inside its details, whichever way the bank wraps it. */
export function entryIn(details: Details): Entry {
  if ('transactionDetails' in details) {
    return details.transactionDetails
  }
  const { transactionsDetails: inside } = details
  return 'transactionDetails' in inside ? inside.transactionDetails : inside
}

/** An end-to-end id is the payer's and may be used again: it lasts together with the amount only. */
function lastingIdOf(
  entry: Entry,
  { endToEndId, amount }: Pick<BankEntry, 'endToEndId' | 'amount'>,
  member: EntryOrigin['lastingId'],
): string | null {
  if (member === 'endToEndId') {
    return endToEndId === null ? null : `${endToEndId} ${amount.minor} ${amount.currency}`
  }
  return member === null ? null : (entry[member] ?? null)
}

function kindOf(
  entry: Entry,
): Pick<BankEntry, 'purposeText' | 'purposeCode' | 'transactionCode' | 'ownTransactionCode'> {
  const transactionCode = textOf(entry.bankTransactionCode)
  const ownTransactionCode = textOf(entry.proprietaryBankTransactionCode)
  return {
    purposeText: ownTransactionCode ?? textOf(entry.additionalInformation) ?? transactionCode,
    purposeCode: textOf(entry.purposeCode),
    transactionCode,
    ownTransactionCode,
  }
}

function counterpartyOf(
  entry: Entry | EntryPart,
  isDebit: boolean,
  countryCode: string,
): Pick<BankEntry, 'counterpartyBban' | 'counterpartyIban' | 'counterpartyName'> {
  const { bban, iban, name } = partyOf(entry, isDebit ? 'creditor' : 'debtor', countryCode)
  return { counterpartyBban: bban, counterpartyIban: iban, counterpartyName: name }
}

function partyOf(entry: Entry | EntryPart, role: 'creditor' | 'debtor', countryCode: string): EntryParty {
  const account: AccountReference | undefined = entry[`${role}Account`]
  return { bban: numberIn(account, countryCode), iban: account?.iban ?? null, name: entry[`${role}Name`] ?? null }
}

function remittanceOf(entry: Entry | EntryPart): Pick<BankEntry, 'references' | 'reference' | 'messages' | 'message'> {
  const { remittanceInformationStructured: single, remittanceInformationStructuredArray: list = [] } = entry
  const { remittanceInformationUnstructured: text, remittanceInformationUnstructuredArray: lines = [] } = entry
  const references = [...(single === undefined ? [] : [single]), ...list]
    .map((one) => (typeof one === 'string' ? { reference: one, referenceType: undefined } : one))
    .flatMap(({ reference, referenceType }) =>
      reference === undefined || reference === '' ? [] : [{ reference, type: referenceType ?? null }],
    )
  const messages = text === undefined ? lines : [text]
  return {
    references,
    reference: references[0]?.reference ?? null,
    messages,
    message: messages.length === 0 ? null : messages.join(''),
  }
}

/** Where a bank signs one part of a batch it signs all; where it signs none, they go the way of the whole. */
function partsOf(entry: Entry, isDebit: boolean, countryCode: string): readonly Part[] {
  const parts = readParts(entry.entryDetails) ?? []
  const isSigned = parts.some((part) => (amountOf(part)?.minor ?? 0n) < 0n)
  return parts.map((part) => {
    const amount = amountOf(part)
    const isPartDebit = amount !== null && isSigned ? amount.minor < 0n : isDebit
    return {
      ...counterpartyOf(part, isPartDebit, countryCode),
      ...remittanceOf(part),
      endToEndId: endToEndIdOf(part),
      amount: amount === null ? null : { ...amount, minor: isPartDebit ? -absolute(amount) : absolute(amount) },
    }
  })
}

function amountOf({ transactionAmount: amount }: EntryPart): Money | null {
  return amount === undefined ? null : signedMoney(amount.amount, amount.currency)
}

function absolute({ minor }: Money): bigint {
  return minor < 0n ? -minor : minor
}

function exchangeOf(exchange: Exchange): EntryExchange {
  return {
    source: exchange.sourceCurrency,
    target: exchange.targetCurrency,
    unit: exchange.unitCurrency ?? null,
    rate: exchange.exchangeRate,
    quotedOn: dateOf(exchange.quotationDate),
    contract: exchange.contractIdentification ?? null,
  }
}

function balanceAfterOf(entry: Entry): BankEntry['balanceAfter'] {
  const balance = readBalanceAfter(entry.balanceAfterTransaction)?.balanceAmount
  return balance === undefined ? null : signedMoney(balance.amount, balance.currency)
}

/** Some banks write booleans and numbers as texts. */
function batchOf({ batchIndicator, batchNumberOfTransactions: number }: Entry): BankEntry['batch'] {
  const count = Number(number)
  const isCounted = number !== undefined && number !== '' && Number.isSafeInteger(count) && count >= 0
  return String(batchIndicator) === 'true' ? { count: isCounted ? count : null } : null
}

function endToEndIdOf({ endToEndId }: Pick<Entry, 'endToEndId'>): string | null {
  return endToEndId === undefined || endToEndId === NOT_PROVIDED ? null : endToEndId
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
