/** Tells which entries on an account show that payments were carried out. In doubt it tells nothing. */
import type { BookedEntry } from '../banks/connector/bank-account.ts'
import { ibanOf } from '../countries/account-number.ts'
import type { Payment } from '../orders/payment.ts'
import { printMoney } from '../platform/money.ts'
import { isAlikeText } from './alike-text.ts'

/** What is looked at of a payment. */
export type Awaiting = Pick<Payment, 'id' | 'amount' | 'countryCode' | 'creditorBban' | 'dueDate' | 'endToEndId'> & {
  /** The endToEndId as the bank was given it; null where it was given none. */
  readonly sentId: string | null
  /** The days on which it can be booked. */
  readonly firstDay: Temporal.PlainDate
  readonly lastDay: Temporal.PlainDate
  /** The last one for an entry that does not name the endToEndId. */
  readonly lastDayUnnamed: Temporal.PlainDate
  /** Reference and message to the receiver. */
  readonly texts: readonly string[]
}

/** A payment, and the key of the entry that settles it. */
export type Match<Waiting extends Awaiting> = { readonly payment: Waiting; readonly entry: string }

/** An entry, and what it is known by. */
export type KeyedEntry = BookedEntry & { readonly key: string }

/** What the standard has banks write where no id was given. */
const NO_ID = 'NOTPROVIDED'

/**
 * One entry settles one payment. An entry that names another endToEndId than the bank was given settles nothing. One that
 * names none must fit in everything it tells, and be the only one; payments alike are settled together or not at all.
 * Entries that have settled others are not given.
 */
export function matchEntries<Waiting extends Awaiting>(
  payments: readonly Waiting[],
  free: readonly KeyedEntry[],
): readonly Match<Waiting>[] {
  const groups = Map.groupBy(payments.toSorted(byDueDate), (payment) => likenessOf(payment))
  return [...groups.values()].flatMap((alike) => matchAlike(alike, free, payments))
}

/** Entries without an id of the bank's are known by what they say, and counted where they say the same. */
export function keyEntries(entries: readonly BookedEntry[]): readonly KeyedEntry[] {
  const seen = new Map<string, number>()
  return entries.map((entry) => {
    if (entry.transactionId !== null) {
      return { ...entry, key: `id ${entry.transactionId}` }
    }
    const { amount, bookedOn, counterpartyBban, counterpartyIban, endToEndId, reference } = entry
    const { amount: printed, currency } = printMoney(amount)
    const said = ['as', bookedOn, printed, currency, counterpartyBban, counterpartyIban, endToEndId, reference]
      .map(String)
      .join(' ')
    const count = (seen.get(said) ?? 0) + 1
    seen.set(said, count)
    return { ...entry, key: `${said} ${count}` }
  })
}

/** First those that their endToEndId names alone, then the rest by everything else. */
function matchAlike<Waiting extends Awaiting>(
  alike: readonly Waiting[],
  free: readonly KeyedEntry[],
  all: readonly Awaiting[],
): readonly Match<Waiting>[] {
  const byId = alike
    .filter((payment) => alike.every((other) => other === payment || other.endToEndId !== payment.endToEndId))
    .flatMap((payment) => matchById(payment, free))
  const open = alike.filter((payment) => byId.every((match) => match.payment !== payment))
  const isLeft = ({ key }: KeyedEntry) => byId.every((match) => match.entry !== key)
  const left = free.filter((entry) => isLeft(entry) && !isOfAnother(entry, all, alike))
  return [...byId, ...matchTogether(open, left)]
}

function matchById<Waiting extends Awaiting>(payment: Waiting, free: readonly KeyedEntry[]): readonly Match<Waiting>[] {
  const named = free.filter(
    (entry) => namesId(entry, payment) === true && mayShow(entry, payment) && isBookedBy(entry, payment.lastDay),
  )
  return named.length === 1 ? named.map(({ key }) => ({ payment, entry: key })) : []
}

/** There must be as many entries as payments that they may show, and one for each. */
function matchTogether<Waiting extends Awaiting>(
  open: readonly Waiting[],
  left: readonly KeyedEntry[],
): readonly Match<Waiting>[] {
  const shown = open
    .map((payment) => ({ payment, entries: left.filter((entry) => showsUnnamed(entry, payment)) }))
    .filter(({ entries }) => entries.length > 0)
    .toSorted((one, other) => one.entries.length - other.entries.length)
  const candidates = new Set(shown.flatMap(({ entries }) => entries))
  const taken = new Set<KeyedEntry>()
  const matches = shown.flatMap(({ payment, entries }) => {
    const entry = entries.find((one) => !taken.has(one))
    if (entry === undefined) {
      return []
    }
    taken.add(entry)
    return [{ payment, entry: entry.key }]
  })
  return candidates.size === shown.length && matches.length === shown.length ? matches : []
}

/** The receiver is named, and nothing that the entry tells is something else than was ordered. */
function showsUnnamed(entry: KeyedEntry, payment: Awaiting): boolean {
  return (
    mayShow(entry, payment) &&
    isBookedBy(entry, payment.lastDayUnnamed) &&
    namesReceiver(entry, payment) === true &&
    !saysSomethingElse(entry, payment)
  )
}

/** Banks differ in which member holds which text. */
function saysSomethingElse({ reference, message }: BookedEntry, payment: Awaiting): boolean {
  const told = [reference, message].flatMap((text) => text ?? [])
  const isAlike = told.some((text) => payment.texts.some((said) => isAlikeText(said, text)))
  return told.length > 0 && payment.texts.length > 0 && !isAlike
}

/** The amount fits, and the entry names neither another id nor another receiver. */
export function mayBeOf(
  entry: BookedEntry,
  payment: Pick<Awaiting, 'amount' | 'countryCode' | 'creditorBban' | 'endToEndId' | 'sentId'>,
): boolean {
  const { minor, currency } = entry.amount
  const isSum = minor === -payment.amount.minor && currency === payment.amount.currency
  return isSum && namesId(entry, payment) !== false && namesReceiver(entry, payment) !== false
}

/** It was booked when the payment could be. */
function mayShow(entry: BookedEntry, payment: Awaiting): boolean {
  const { bookedOn } = entry
  const isInTime = bookedOn !== null && Temporal.PlainDate.compare(bookedOn, payment.firstDay) >= 0
  return isInTime && mayBeOf(entry, payment)
}

function isBookedBy({ bookedOn }: BookedEntry, day: Temporal.PlainDate): boolean {
  return bookedOn !== null && Temporal.PlainDate.compare(bookedOn, day) <= 0
}

/** Whether the entry names the payment's endToEndId; undefined where it tells none, or none was given to the bank. */
function namesId(
  { endToEndId }: BookedEntry,
  { sentId, endToEndId: whole }: Pick<Awaiting, 'sentId' | 'endToEndId'>,
): boolean | undefined {
  return endToEndId === null || endToEndId === NO_ID || sentId === null
    ? undefined
    : endToEndId === sentId || endToEndId === whole
}

/** Whether the other side is the receiver; undefined where the entry does not tell. */
function namesReceiver(
  { counterpartyBban, counterpartyIban }: BookedEntry,
  { countryCode, creditorBban }: Pick<Awaiting, 'countryCode' | 'creditorBban'>,
): boolean | undefined {
  if (counterpartyIban === creditorBban) {
    return true
  }
  if (counterpartyBban !== null) {
    return digitsOf(counterpartyBban) === digitsOf(creditorBban)
  }
  const iban = counterpartyIban === null ? undefined : ibanOf(countryCode, creditorBban)
  return iban === undefined ? undefined : iban === counterpartyIban
}

/** An id that is another payment's is no sign of these; where the bank was given none, one that nobody knows is its own. */
function isOfAnother(
  { endToEndId }: Pick<BookedEntry, 'endToEndId'>,
  all: readonly Awaiting[],
  alike: readonly Awaiting[],
): boolean {
  const isKnown = (payments: readonly Awaiting[]) =>
    payments.some((payment) => payment.endToEndId === endToEndId || payment.sentId === endToEndId)
  return endToEndId !== null && endToEndId !== NO_ID && isKnown(all) && !isKnown(alike)
}

function likenessOf({ amount, creditorBban }: Awaiting): string {
  return `${amount.minor} ${amount.currency} ${digitsOf(creditorBban)}`
}

function byDueDate(one: Awaiting, other: Awaiting): number {
  return Temporal.PlainDate.compare(one.dueDate, other.dueDate) || (one.id < other.id ? -1 : 1)
}

function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, '')
}
