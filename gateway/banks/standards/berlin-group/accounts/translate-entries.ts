/** Translates booked and pending account entries. */

import type { Money } from '../../../../platform/money.ts'
import type { Bank } from '../../../connector/bank.ts'
import type { BankEntry, EntryParty, EntryPart as Part } from '../../../connector/bank-account.ts'
import { statedText } from '../../../connector/bank-text.ts'
import { type Dialect, dialectOf } from '../dialect.ts'
import { type AccountReference, dateOf } from '../wire.ts'
import { accountNumberIn } from './account-reference.ts'
import { parseSignedMoney } from './translate-accounts.ts'
import type { Details, Entry, EntryPart } from './wire-accounts.ts'

/** The origin of an entry, as far as its translation depends on it. */
export type EntryOrigin = Pick<Bank, 'countryCode'> &
  Pick<Bank['profile'], 'timeZone'> &
  Pick<Dialect['entries'], 'lastingId'>

/** What is wrong with an entry that `toBankEntry` does not translate. */
export const INVALID_AMOUNT = { path: 'transactionAmount.amount', reason: 'is no amount of its currency' } as const

/** One entry; undefined where its amount is invalid. */
export function toBankEntry(
  entry: Entry,
  status: BankEntry['status'],
  { countryCode, timeZone, lastingId }: EntryOrigin,
): BankEntry | undefined {
  const amount = parseSignedMoney(entry.transactionAmount.amount, entry.transactionAmount.currency)
  if (amount === null) {
    return undefined
  }
  const isDebit = amount.minor < 0n
  const translated = {
    ...counterpartyOf(entry, isDebit, countryCode),
    ...remittanceOf(entry),
    transactionId: statedText(entry.transactionId) ?? statedText(entry.entryReference),
    entryReference: statedText(entry.entryReference),
    endToEndId: statedText(entry.endToEndId),
    amount,
    bookedOn: dateOf(entry.bookingDate, timeZone),
    valueOn: dateOf(entry.valueDate, timeZone),
  }
  return {
    ...translated,
    status,
    lastingId: lastingIdOf(entry, translated, lastingId),
    own: partyOf(entry, isDebit ? 'debtor' : 'creditor', countryCode),
    ...kindOf(entry),
    balanceAfter: balanceAfterOf(entry),
    batch: batchOf(entry),
    parts: partsOf(entry, isDebit, countryCode),
    exchanges: [entry.currencyExchange ?? []].flat().map((exchange) => ({
      source: exchange.sourceCurrency,
      target: exchange.targetCurrency,
      unit: exchange.unitCurrency ?? null,
      rate: exchange.exchangeRate,
      quotedOn: dateOf(exchange.quotationDate, timeZone),
      contract: statedText(exchange.contractIdentification),
    })),
  }
}

export function entryOriginOf({ countryCode, profile }: Bank): EntryOrigin {
  return { countryCode, timeZone: profile.timeZone, lastingId: dialectOf(profile).entries.lastingId }
}

/** The entry in its details, in any of the banks' wrappings. */
export function unwrapEntry(details: Details): Entry {
  if ('transactionDetails' in details) {
    return details.transactionDetails
  }
  const { transactionsDetails: inside } = details
  return 'transactionDetails' in inside ? inside.transactionDetails : inside
}

/** End-to-end ids may be reused by the payer: they identify an entry only together with the amount. */
function lastingIdOf(
  entry: Entry,
  { endToEndId, amount }: Pick<BankEntry, 'endToEndId' | 'amount'>,
  member: EntryOrigin['lastingId'],
): string | null {
  if (member === 'endToEndId') {
    return endToEndId === null ? null : `${endToEndId} ${amount.minor} ${amount.currency}`
  }
  return member === null ? null : statedText(entry[member])
}

function kindOf(
  entry: Entry,
): Pick<BankEntry, 'purposeText' | 'purposeCode' | 'transactionCode' | 'ownTransactionCode'> {
  const transactionCode = statedText(entry.bankTransactionCode)
  const ownTransactionCode = statedText(entry.proprietaryBankTransactionCode)
  return {
    purposeText: ownTransactionCode ?? statedText(entry.additionalInformation) ?? transactionCode,
    purposeCode: statedText(entry.purposeCode),
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
  return {
    bban: accountNumberIn(account, countryCode),
    iban: statedText(account?.iban),
    name: statedText(entry[`${role}Name`]),
  }
}

function remittanceOf(entry: Entry | EntryPart): Pick<BankEntry, 'references' | 'reference' | 'messages' | 'message'> {
  const { remittanceInformationStructured: single, remittanceInformationStructuredArray: list = [] } = entry
  const { remittanceInformationUnstructured: text, remittanceInformationUnstructuredArray: lines = [] } = entry
  const references = [...(single === undefined ? [] : [single]), ...list]
    .map((one) => (typeof one === 'string' ? { reference: one, referenceType: undefined } : one))
    .flatMap(({ reference, referenceType }) => {
      const stated = statedText(reference)
      return stated === null ? [] : [{ reference: stated, type: referenceType ?? null }]
    })
  const reported = text === undefined ? lines : [text]
  const messages = statedText(reported.join('')) === null ? [] : reported
  return {
    references,
    reference: references[0]?.reference ?? null,
    messages,
    message: messages.length === 0 ? null : messages.join(''),
  }
}

/** A bank gives signs to all transactions of a batch or to none; without signs they have that of the batch. */
function partsOf(entry: Entry, isDebit: boolean, countryCode: string): readonly Part[] {
  const { entryDetails: parts = [] } = entry
  const isSigned = parts.some((part) => (amountOf(part)?.minor ?? 0n) < 0n)
  return parts.map((part) => {
    const amount = amountOf(part)
    const isPartDebit = amount !== null && isSigned ? amount.minor < 0n : isDebit
    return {
      ...counterpartyOf(part, isPartDebit, countryCode),
      ...remittanceOf(part),
      endToEndId: statedText(part.endToEndId),
      amount: amount === null ? null : { ...amount, minor: isPartDebit ? -absolute(amount) : absolute(amount) },
    }
  })
}

function amountOf({ transactionAmount: amount }: EntryPart): Money | null {
  return amount === undefined ? null : parseSignedMoney(amount.amount, amount.currency)
}

function absolute({ minor }: Money): bigint {
  return minor < 0n ? -minor : minor
}

function balanceAfterOf(entry: Entry): BankEntry['balanceAfter'] {
  const balance = entry.balanceAfterTransaction?.balanceAmount
  return balance === undefined ? null : parseSignedMoney(balance.amount, balance.currency)
}

function batchOf({ batchIndicator, batchNumberOfTransactions: number }: Entry): BankEntry['batch'] {
  const count = Number(number)
  const isCounted = Number.isSafeInteger(count) && count >= 0
  return String(batchIndicator) === 'true' ? { count: isCounted ? count : null } : null
}
