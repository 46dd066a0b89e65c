/** Matches entries on an account to the payments that they settle; ambiguous entries match none. */
import type { BookedEntry } from '../../banks/connector/bank-account.ts'
import { comparableNumber, statedText } from '../../banks/connector/bank-text.ts'
import { ibanOf } from '../../countries/account-number.ts'
import { foldedWordsOf, foldLetters } from '../../countries/names/organisation-name.ts'
import { formatMoney } from '../../platform/money.ts'
import type { Payment } from '../payment.ts'

/** The properties of a payment by which entries are matched. */
export type MatchablePayment = Pick<
  Payment,
  'id' | 'amount' | 'countryCode' | 'creditorBban' | 'dueDate' | 'endToEndId'
> & {
  /** The endToEndId as sent to the bank; null where none was sent. */
  readonly bankEndToEndId: string | null
  /** The first and the last possible booking date. */
  readonly firstDay: Temporal.PlainDate
  readonly lastDay: Temporal.PlainDate
  /** The last booking date of an entry that does not name the endToEndId. */
  readonly lastDayWithoutId: Temporal.PlainDate
  /** Reference and message for the creditor. */
  readonly texts: readonly string[]
}

/** A payment and the key of the entry that settles it. */
export type EntryMatch<Waiting extends MatchablePayment> = { readonly payment: Waiting; readonly entry: string }

/** An entry and the key that identifies it. */
export type KeyedEntry = BookedEntry & {
  readonly key: string
  /** The key by the bank's id alone: of an entry that was once listed without others of this id. */
  readonly sharedKey?: string
}

/**
 * Returns the matches; one entry settles one payment. An entry with another endToEndId than the one sent to the bank
 * matches nothing. One without an endToEndId must agree in all its properties and be the only one; equal payments are
 * matched together or not at all. `free` must not contain entries that have settled payments already.
 */
export function matchEntries<Waiting extends MatchablePayment>(
  payments: readonly Waiting[],
  free: readonly KeyedEntry[],
): readonly EntryMatch<Waiting>[] {
  const groups = Map.groupBy(payments.toSorted(byDueDate), (payment) => matchGroupKey(payment))
  return [...groups.values()].flatMap((equalPayments) => matchGroup(equalPayments, free, payments))
}

/**
 * Returns the entries with keys. Entries without a bank's id, or with one that the bank gives to different entries, are
 * identified by content and numbered when equal.
 */
export function keyEntries(entries: readonly BookedEntry[]): readonly KeyedEntry[] {
  const contentsById = Map.groupBy(new Set(entries.map(contentOf)), (content) =>
    content.slice(0, content.indexOf('\n')),
  )
  const seen = new Map<string, number>()
  return entries.map((entry) => {
    const content = contentOf(entry)
    const count = (seen.get(content) ?? 0) + 1
    seen.set(content, count)
    const { transactionId } = entry
    const byContent = `${content.slice(content.indexOf('\n') + 1)} ${count}`
    if (transactionId === null) {
      return { ...entry, key: byContent }
    }
    const byId = `id ${transactionId}`
    const isShared = (contentsById.get(transactionId)?.length ?? 0) > 1
    return { ...entry, key: isShared ? `${byId} ${byContent}` : byId, sharedKey: byId }
  })
}

/** The bank's id, then on another line what else identifies an entry. */
function contentOf({ transactionId, amount, bookedOn, endToEndId, reference, ...entry }: BookedEntry): string {
  const { counterpartyBban, counterpartyIban } = entry
  const { amount: printed, currency } = formatMoney(amount)
  const content = ['as', bookedOn, printed, currency, counterpartyBban, counterpartyIban, endToEndId, reference]
  return `${transactionId ?? ''}\n${content.map(String).join(' ')}`
}

/** Matches by endToEndId first, then the rest by all other properties. */
function matchGroup<Waiting extends MatchablePayment>(
  equalPayments: readonly Waiting[],
  free: readonly KeyedEntry[],
  all: readonly MatchablePayment[],
): readonly EntryMatch<Waiting>[] {
  const byId = equalPayments
    .filter((payment) => equalPayments.every((other) => other === payment || other.endToEndId !== payment.endToEndId))
    .flatMap((payment) => matchById(payment, free))
  const open = equalPayments.filter((payment) => byId.every((match) => match.payment !== payment))
  const isUnmatched = ({ key }: KeyedEntry) => byId.every((match) => match.entry !== key)
  const unmatched = free.filter((entry) => isUnmatched(entry) && !namesAnotherPayment(entry, all, equalPayments))
  return [...byId, ...matchTogether(open, unmatched)]
}

function matchById<Waiting extends MatchablePayment>(
  payment: Waiting,
  free: readonly KeyedEntry[],
): readonly EntryMatch<Waiting>[] {
  const named = free.filter(
    (entry) =>
      namesEndToEndId(entry, payment) === true && mayMatch(entry, payment) && isBookedBy(entry, payment.lastDay),
  )
  return named.length === 1 ? named.map(({ key }) => ({ payment, entry: key })) : []
}

/** Matches only if there are exactly as many candidate entries as payments, one for each. */
function matchTogether<Waiting extends MatchablePayment>(
  open: readonly Waiting[],
  unmatched: readonly KeyedEntry[],
): readonly EntryMatch<Waiting>[] {
  const matchable = open
    .map((payment) => ({ payment, entries: unmatched.filter((entry) => matchesWithoutId(entry, payment)) }))
    .filter(({ entries }) => entries.length > 0)
    .toSorted((one, other) => one.entries.length - other.entries.length)
  const candidates = new Set(matchable.flatMap(({ entries }) => entries))
  const assigned = new Set<KeyedEntry>()
  const matches = matchable.flatMap(({ payment, entries }) => {
    const entry = entries.find((one) => !assigned.has(one))
    if (entry === undefined) {
      return []
    }
    assigned.add(entry)
    return [{ payment, entry: entry.key }]
  })
  return candidates.size === matchable.length && matches.length === matchable.length ? matches : []
}

/** The entry names the creditor, and nothing in it differs from the order. */
function matchesWithoutId(entry: KeyedEntry, payment: MatchablePayment): boolean {
  return (
    mayMatch(entry, payment) &&
    isBookedBy(entry, payment.lastDayWithoutId) &&
    namesReceiver(entry, payment) === true &&
    !contradictsText(entry, payment)
  )
}

/** Banks differ in which field holds which text. */
function contradictsText({ reference, message }: BookedEntry, payment: MatchablePayment): boolean {
  const entryTexts = [reference, message].flatMap((text) => text ?? [])
  const isSimilar = entryTexts.some((text) => payment.texts.some((ordered) => isSimilarText(ordered, text)))
  return entryTexts.length > 0 && payment.texts.length > 0 && !isSimilar
}

/** Whether the amount is equal and the entry names no other endToEndId and no other creditor. */
export function mayBelongTo(
  entry: BookedEntry,
  payment: Pick<MatchablePayment, 'amount' | 'countryCode' | 'creditorBban' | 'endToEndId' | 'bankEndToEndId'>,
): boolean {
  const { minor, currency } = entry.amount
  const hasAmount = minor === -payment.amount.minor && currency === payment.amount.currency
  return hasAmount && namesEndToEndId(entry, payment) !== false && namesReceiver(entry, payment) !== false
}

/** The endToEndIds of payments equal to an order, and its own, at their bank. */
type EqualPayments = { readonly ownId: string; readonly equalPaymentIds: readonly string[] }

/** Whether equal payments account for these entries: for one that names a part of the order, only those with its id. */
export function belongToEqualPayments(
  entries: readonly BookedEntry[],
  partsOf: (entry: BookedEntry) => readonly Parameters<typeof namesEndToEndId>[1][],
  { ownId, equalPaymentIds }: EqualPayments,
): boolean {
  const named = entries.filter((entry) => partsOf(entry).some((part) => namesEndToEndId(entry, part) === true))
  const sameIds = equalPaymentIds.filter((id) => id === ownId)
  return entries.length <= equalPaymentIds.length && named.length <= sameIds.length
}

/** Whether it may belong to the payment and was not booked too early. */
function mayMatch(entry: BookedEntry, payment: MatchablePayment): boolean {
  const { bookedOn } = entry
  const isInTime = bookedOn !== null && Temporal.PlainDate.compare(bookedOn, payment.firstDay) >= 0
  return isInTime && mayBelongTo(entry, payment)
}

function isBookedBy({ bookedOn }: BookedEntry, day: Temporal.PlainDate): boolean {
  return bookedOn !== null && Temporal.PlainDate.compare(bookedOn, day) <= 0
}

/**
 * Whether the entry names the payment's endToEndId; undefined where the entry has none or none was sent to the bank.
 */
function namesEndToEndId(
  { endToEndId }: BookedEntry,
  { bankEndToEndId, endToEndId: fullEndToEndId }: Pick<MatchablePayment, 'bankEndToEndId' | 'endToEndId'>,
): boolean | undefined {
  const named = statedText(endToEndId)
  return named === null || bankEndToEndId === null ? undefined : named === bankEndToEndId || named === fullEndToEndId
}

/** Whether the counterparty is the creditor; undefined where the entry does not name it. */
function namesReceiver(
  { counterpartyBban, counterpartyIban }: BookedEntry,
  { countryCode, creditorBban }: Pick<MatchablePayment, 'countryCode' | 'creditorBban'>,
): boolean | undefined {
  const [bban, shownIban] = [comparableNumber(counterpartyBban), comparableNumber(counterpartyIban)]
  if (shownIban === creditorBban) {
    return true
  }
  if (bban !== null) {
    return digitsOf(bban) === digitsOf(creditorBban)
  }
  const iban = shownIban === null ? undefined : ibanOf(countryCode, creditorBban)
  return iban === undefined ? undefined : iban === shownIban
}

/** An entry with another payment's id is no match; where none was sent to the bank, an unknown id is the bank's own. */
function namesAnotherPayment(
  { endToEndId }: Pick<BookedEntry, 'endToEndId'>,
  all: readonly MatchablePayment[],
  equalPayments: readonly MatchablePayment[],
): boolean {
  const named = statedText(endToEndId)
  const isKnown = (payments: readonly MatchablePayment[]) =>
    payments.some((payment) => payment.endToEndId === named || payment.bankEndToEndId === named)
  return named !== null && isKnown(all) && !isKnown(equalPayments)
}

function matchGroupKey({ amount, creditorBban }: MatchablePayment): string {
  return `${amount.minor} ${amount.currency} ${digitsOf(creditorBban)}`
}

function byDueDate(one: MatchablePayment, other: MatchablePayment): number {
  return Temporal.PlainDate.compare(one.dueDate, other.dueDate) || (one.id < other.id ? -1 : 1)
}

/** Without country and check digits of an IBAN, by which some creditors are stored, and some banks name all. */
function digitsOf(number: string): string {
  return number.replace(/^[A-Z]{2}[0-9]{2}/, '').replaceAll(/\D/g, '')
}

/** Whether one text contains the other after normalisation. */
export function isSimilarText(one: string, other: string): boolean {
  return spellingsOf(one).some((spelling, index) => {
    const otherSpelling = spellingsOf(other)[index] ?? ''
    return spelling.includes(otherSpelling) || otherSpelling.includes(spelling)
  })
}

/** Words together, as folded each and all together: banks that drop spaces make two letters of two words neighbours. */
function spellingsOf(text: string): readonly string[] {
  return [foldedWordsOf(text).join(''), foldLetters(text.replace(/[^\p{L}\p{N}\p{Mn}]/gu, ''))].map(plain)
}

/** References may be padded with zeros. */
function plain(folded: string): string {
  return folded.replaceAll(/[^a-z0-9]/g, '').replace(/^0+/, '')
}
