/** Formats entries for the API. */
import type { BankEntry, EntryParty, EntryPart as Part } from '../banks/connector/bank-account.ts'
import type { ConsentAccount } from '../consents/accounts/consent-account.ts'
import { formatDayAsTimestamp } from '../platform/clock.ts'
import { presentFields } from '../platform/collections.ts'
import { formatMoney, type Money } from '../platform/money.ts'
import type { ApiEntry, ApiEntryDetails, EnrichedEntry, Entry, EntryTransaction, ExactAmount } from './entry.ts'
import { stableIds } from './stable-entry-id.ts'

/** Creates the formatter for the entries of one answer, which are passed in their order. */
export function entryFormatter(account: ConsentAccount): (read: EnrichedEntry, paymentId: string | undefined) => Entry {
  const stableIdOf = stableIds(account.stableId)
  return ({ reported, listed, enriched }, paymentId) => ({
    reported,
    shown: {
      ...apiFieldsOf(account, reported),
      stableEntryId: stableIdOf(listed),
      ...presentFields({ paymentId }),
      enriched,
    },
  })
}

/**
 * Formats an entry that was read by its id. Where its bank has no lasting id, the stable id depends on the list and on
 * the entries next to it, so none is returned.
 */
export function formatEntryDetails(
  account: ConsentAccount,
  reported: BankEntry,
  paymentId: string | undefined,
): ApiEntryDetails {
  const id = reported.lastingId === null ? {} : { stableEntryId: stableIds(account.stableId)(reported) }
  return { ...apiFieldsOf(account, reported), ...id, ...presentFields({ paymentId }), enriched: true }
}

function apiFieldsOf(account: ConsentAccount, reported: BankEntry): Omit<ApiEntry, 'enriched' | 'stableEntryId'> {
  const { transactionId, amount, status, bookedOn, valueOn, purposeText, endToEndId, parts } = reported
  return {
    transactionId: transactionId ?? '',
    postedAmount: positive(amount),
    type: typeOf(amount),
    status: status === 'booked' ? 'BOOKED' : 'PENDING',
    ...presentFields({
      bookingDateTime: bookedOn && formatDayAsTimestamp(bookedOn),
      valueDateTime: valueOn && formatDayAsTimestamp(valueOn),
      purposeText,
    }),
    remittanceInformation: remittanceOf(reported),
    ...partiesOfEntry(reported, amount, ownSideOf(account, reported.own)),
    ...(endToEndId === null ? {} : { endToEndId }),
    ...(parts.length === 0 ? {} : { elements: parts.map((part) => elementOf(part, reported, account)) }),
  }
}

function elementOf(part: Part, { amount: batchAmount, own }: BankEntry, account: ConsentAccount): EntryTransaction {
  // One direction throughout: that of the part if the bank reports its amount, else that of the batch.
  const direction = part.amount ?? batchAmount
  return {
    ...(part.amount === null ? {} : { postedAmount: positive(part.amount) }),
    type: typeOf(direction),
    ...partiesOfEntry(part, direction, ownSideOf(account, own)),
    remittanceInformation: remittanceOf(part),
    ...(part.endToEndId === null ? {} : { endToEndId: part.endToEndId }),
  }
}

/** What the bank omits of the company's own side is taken from the list of accounts. */
function ownSideOf({ bban, iban, ownerName }: ConsentAccount, own: EntryParty): EntryParty {
  return { name: own.name ?? ownerName, bban: own.bban ?? bban, iban: own.iban ?? iban }
}

function partiesOfEntry(
  { counterpartyName: name, counterpartyBban: bban, counterpartyIban: iban }: BankEntry | Part,
  { minor }: Money,
  own: EntryParty,
): Pick<ApiEntry, 'creditor' | 'debtor'> {
  const [self, other] = [partyOf(own), partyOf({ name, bban, iban })]
  return minor < 0n ? { creditor: other, debtor: self } : { creditor: self, debtor: other }
}

function partyOf({ name, bban, iban }: EntryParty): ApiEntry['creditor'] {
  return presentFields({ name, bban, iban })
}

function remittanceOf({ reference, references, message }: BankEntry | Part): ApiEntry['remittanceInformation'] {
  const all = references.map(({ reference: value, type }) => ({ reference: value, ...presentFields({ type }) }))
  return presentFields({ reference, references: all.length === 0 ? null : all, unstructured: message })
}

function typeOf({ minor }: Money): ApiEntry['type'] {
  return minor < 0n ? 'DEBIT' : 'CREDIT'
}

function positive({ minor, currency }: Money): ExactAmount {
  return formatMoney({ minor: minor < 0n ? -minor : minor, currency })
}
