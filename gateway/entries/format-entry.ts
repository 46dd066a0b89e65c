/** Shows an entry in the words of the interface. */
import type { BankEntry, EntryParty, EntryPart as Part } from '../banks/connector/bank-account.ts'
import type { ConsentAccount } from '../consents/accounts/consent-account.ts'
import { printDay } from '../platform/format-timestamp.ts'
import { type Money, printMoney } from '../platform/money.ts'
import type { Entry, ExactAmount, ReadEntry, ShownDetails, ShownElement, ShownEntry } from './entry.ts'
import { stableIds } from './stable-entry-id.ts'

/** Makes what shows the entries of one answer, in their order. */
export function entryShower(account: ConsentAccount): (read: ReadEntry, paymentId: string | undefined) => Entry {
  const stableIdOf = stableIds(account.stableId)
  return ({ told, listed, enriched }, paymentId) => ({
    told,
    shown: { ...shownOf(account, told), stableEntryId: stableIdOf(listed), ...paid(paymentId), enriched },
  })
}

/**
 * Shows an entry that was read by itself. Where its bank keeps nothing, its id depends on what a list says of it and of
 * those beside it: then none is told.
 */
export function showDetails(account: ConsentAccount, told: BankEntry, paymentId: string | undefined): ShownDetails {
  const id = told.lastingId === null ? {} : { stableEntryId: stableIds(account.stableId)(told) }
  return { ...shownOf(account, told), ...id, ...paid(paymentId), enriched: true }
}

function paid(paymentId: string | undefined): Pick<ShownEntry, 'paymentId'> {
  return paymentId === undefined ? {} : { paymentId }
}

function shownOf(account: ConsentAccount, told: BankEntry): Omit<ShownEntry, 'enriched' | 'stableEntryId'> {
  const { transactionId, amount, status, bookedOn, valueOn, purposeText, endToEndId, parts } = told
  return {
    transactionId: transactionId ?? '',
    postedAmount: positive(amount),
    type: typeOf(amount),
    status: status === 'booked' ? 'BOOKED' : 'PENDING',
    ...(bookedOn === null ? {} : { bookingDateTime: printDay(bookedOn) }),
    ...(valueOn === null ? {} : { valueDateTime: printDay(valueOn) }),
    ...(purposeText === null ? {} : { purposeText }),
    remittanceInformation: remittanceOf(told),
    ...sidesOf(told, amount, ownSideOf(account, told.own)),
    ...(endToEndId === null ? {} : { endToEndId }),
    ...(parts.length === 0 ? {} : { elements: parts.map((part) => elementOf(part, told, account)) }),
  }
}

function elementOf(part: Part, { amount: whole, own }: BankEntry, account: ConsentAccount): ShownElement {
  // One direction for all that is said of it: its own where the bank tells its amount, else that of the batch.
  const way = part.amount ?? whole
  return {
    ...(part.amount === null ? {} : { postedAmount: positive(part.amount) }),
    type: typeOf(way),
    ...sidesOf(part, way, ownSideOf(account, own)),
    remittanceInformation: remittanceOf(part),
    ...(part.endToEndId === null ? {} : { endToEndId: part.endToEndId }),
  }
}

/** What the bank leaves out of the company's own side is known from its list of accounts. */
function ownSideOf({ bban, iban, ownerName }: ConsentAccount, own: EntryParty): EntryParty {
  return { name: own.name ?? ownerName, bban: own.bban ?? bban, iban: own.iban ?? iban }
}

function sidesOf(
  { counterpartyName: name, counterpartyBban: bban, counterpartyIban: iban }: BankEntry | Part,
  { minor }: Money,
  own: EntryParty,
): Pick<ShownEntry, 'creditor' | 'debtor'> {
  const [self, other] = [partyOf(own), partyOf({ name, bban, iban })]
  return minor < 0n ? { creditor: other, debtor: self } : { creditor: self, debtor: other }
}

function partyOf({ name, bban, iban }: EntryParty): ShownEntry['creditor'] {
  return {
    ...(name === null ? {} : { name }),
    ...(bban === null ? {} : { bban }),
    ...(iban === null ? {} : { iban }),
  }
}

function remittanceOf({ reference, references, message }: BankEntry | Part): ShownEntry['remittanceInformation'] {
  const all = references.map(({ reference: value, type }) => ({
    reference: value,
    ...(type === null ? {} : { type }),
  }))
  return {
    ...(reference === null ? {} : { reference }),
    ...(all.length === 0 ? {} : { references: all }),
    ...(message === null ? {} : { unstructured: message }),
  }
}

function typeOf({ minor }: Money): ShownEntry['type'] {
  return minor < 0n ? 'DEBIT' : 'CREDIT'
}

function positive({ minor, currency }: Money): ExactAmount {
  return printMoney({ minor: minor < 0n ? -minor : minor, currency })
}
