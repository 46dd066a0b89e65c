/** Reads the booked and pending entries of an account, each of them once. */
import type { BankEntry, BookedEntry, DayRange, EntriesQuery } from '../../../connector/bank-account.ts'
import { UnreadableAnswerError } from '../../../connector/bank-error.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import type { AnswerDeviation } from '../../../connector/connector-dependencies.ts'
import { dialectOf } from '../dialect.ts'
import type { BerlinGroupRequest } from '../transport/send-request.ts'
import { elementReporter } from '../wire.ts'
import { type ReportContext, type ReportEntry, readTransactionReports } from './read-transaction-reports.ts'
import { type EntryOrigin, entryOriginOf, INVALID_AMOUNT, toBankEntry } from './translate-entries.ts'
import { parseEntry } from './wire-accounts.ts'

/** Some weeks of entries, which is enough for matching payments. */
const BOOKED_HELD_MAX = 100_000

/** Entries in the bank's order; pending ones last, without those that are also listed as booked. */
export async function* streamEntries(
  way: ReportContext,
  transactions: BerlinGroupRequest,
  { days, which }: EntriesQuery,
): AsyncGenerator<readonly BankEntry[]> {
  const origin = entryOriginOf(way.caller.bank)
  const pending = createPendingEntries(origin, days.to)
  for (const bookingStatus of statusesToAsk(way.caller, which)) {
    for await (const entries of readReports(way, { ...transactions, query: queryOf(bookingStatus, days) }, which)) {
      const booked = entries.filter(({ status }) => status === 'booked')
      pending.note(entries)
      if (booked.length > 0) {
        yield booked
      }
    }
  }
  const left = pending.left()
  if (left.length > 0) {
    yield left
  }
}

/** Booked entries, oldest first; those of one day in the bank's order. */
export async function listBookedEntries(
  way: ReportContext,
  transactions: BerlinGroupRequest,
  days: DayRange,
): Promise<readonly BookedEntry[]> {
  const entries: BookedEntry[] = []
  const request = { ...transactions, query: queryOf('booked', days) }
  for await (const booked of readReports(way, request, 'booked')) {
    entries.push(...booked)
    if (entries.length > BOOKED_HELD_MAX) {
      throw new UnreadableAnswerError('unavailable', `The bank lists more than ${BOOKED_HELD_MAX} entries`)
    }
  }
  return entries.sort((one, other) => dayOf(one).localeCompare(dayOf(other)))
}

/** Pending entries are read first: one that is booked in the meantime is then seen twice instead of never. */
function statusesToAsk(
  { bank: { profile } }: BankCaller,
  which: EntriesQuery['which'],
): readonly ('booked' | 'pending' | 'both')[] {
  if (!profile.entries.pending) {
    return which === 'pending' ? [] : ['booked']
  }
  return which === 'both' && dialectOf(profile).entries.pending === 'apart' ? ['pending', 'booked'] : [which]
}

function queryOf(bookingStatus: string, { from, to }: DayRange): Readonly<Record<string, string>> {
  return { bookingStatus, dateFrom: from.toString(), dateTo: to.toString() }
}

/** The entries of all pages. Throws at the end where there are entries, but none that could be read. */
async function* readReports(
  way: ReportContext,
  request: BerlinGroupRequest,
  which: EntriesQuery['which'],
): AsyncGenerator<readonly BankEntry[]> {
  let [listed, read] = [0, 0]
  const edge = createPageEdge()
  for await (const batch of readTransactionReports(way, request)) {
    if (batch === 'next page') {
      edge.turn()
      continue
    }
    const wanted = batch.filter(({ list }) => which === 'both' || list === which)
    const entries = readEntries(way, request, wanted)
    listed += wanted.length
    read += entries.length
    yield edge.withoutRepeated(entries)
  }
  if (listed > 0 && read === 0) {
    throw new UnreadableAnswerError('unavailable', 'The bank lists entries, of which none can be read')
  }
}

/** The entries of a page; a damaged one is left out and reported, because the others are still true. */
function readEntries(
  { line, caller }: ReportContext,
  { operation }: BerlinGroupRequest,
  listed: readonly ReportEntry[],
): readonly BankEntry[] {
  const origin = entryOriginOf(caller.bank)
  const deviations: AnswerDeviation[] = []
  const entries = listed.flatMap(({ list, value }) => {
    const report = elementReporter(list, (deviation) => deviations.push(deviation))
    const entry = parseEntry(value, report)
    const readable = entry && toBankEntry(entry, list, origin)
    if (entry !== undefined && readable === undefined) {
      report({ ...INVALID_AMOUNT, effect: 'dropped' })
    }
    return readable ?? []
  })
  if (deviations.length > 0) {
    line.observeDeviations({ bank: caller.bank.bic, operation }, deviations)
  }
  return entries
}

/** More than are booked between two requests. */
const PAGE_EDGE_MAX = 100

type PageEdge = { turn(): void; withoutRepeated(entries: readonly BankEntry[]): readonly BankEntry[] }

/**
 * Leaves out booked entries that a page repeats from the end of the one before: one that is booked between the two
 * requests moves them there.
 */
function createPageEdge(): PageEdge {
  let last: readonly BankEntry[] = []
  let former: ReadonlySet<string | null> = new Set()
  return {
    turn: () => {
      former = new Set(last.map(contentOf))
      last = []
    },
    withoutRepeated: (entries) => {
      const booked = entries.filter(({ status }) => status === 'booked')
      const first = booked.findIndex((entry) => entry.transactionId === null || !former.has(contentOf(entry)))
      const repeated = new Set(first < 0 ? booked : booked.slice(0, first))
      former = first < 0 ? former : new Set()
      last = [...last, ...booked].slice(-PAGE_EDGE_MAX)
      return entries.filter((entry) => !repeated.has(entry))
    },
  }
}

/** Entries without a date come first. */
function dayOf({ bookedOn }: BookedEntry): string {
  return bookedOn?.toString() ?? ''
}

/** Some days of card payments of a busy company. */
const PENDING_HELD_MAX = 10_000
/** Only recent booked entries are compared, by key and date: entries do not stay pending for longer. */
const PENDS_FOR_DAYS_MAX = 60
const BOOKED_KNOWN_MAX = 100_000
/** For entries without a date: later than every date, because they may still be pending. */
const NO_DAY = '9999-12-31'

/** Receives all listed entries and returns the remaining pending ones at the end. */
type PendingEntries = {
  note(entries: readonly BankEntry[]): void
  left(): readonly BankEntry[]
}

/** Creates it for a list that ends on a day. */
function createPendingEntries(origin: Pick<EntryOrigin, 'lastingId'>, to: Temporal.PlainDate): PendingEntries {
  const since = to.subtract({ days: PENDS_FOR_DAYS_MAX }).toString()
  const pending = new Map<string | symbol, BankEntry>()
  const bookedDaysByKey = new Map<string, string[]>()
  let bookedKnown = 0
  return {
    note: (entries) => {
      for (const entry of entries) {
        const [key, day] = [keyOf(entry), lastDayOf(entry)]
        if (entry.status === 'pending') {
          pending.getOrInsertComputed(contentOf(entry) ?? Symbol(), () => entry)
        } else if (key !== null && day >= since && bookedKnown < BOOKED_KNOWN_MAX) {
          bookedKnown += 1
          bookedDaysByKey.getOrInsertComputed(key, () => []).push(day)
        }
      }
      if (pending.size > PENDING_HELD_MAX) {
        throw new UnreadableAnswerError('unavailable', `The bank lists more than ${PENDING_HELD_MAX} pending entries`)
      }
    },
    left: () => {
      const all = [...pending.values()]
      const booked = matchBookedEntries(all, bookedDaysByKey, origin.lastingId === 'endToEndId')
      return all.filter((entry) => !booked.has(entry))
    },
  }
}

/**
 * Pending entries that are booked: one for each booked entry with the same key. End-to-end ids may be reused, so such a
 * booked entry only matches entries that became pending before it; the bank's own id is unique.
 */
function matchBookedEntries(
  pending: readonly BankEntry[],
  bookedDaysByKey: ReadonlyMap<string, readonly string[]>,
  isNamedByPayers: boolean,
): ReadonlySet<BankEntry> {
  const pendingByKey = Map.groupBy(pending, keyOf)
  const booked = new Set<BankEntry>()
  for (const [key, days] of bookedDaysByKey) {
    const oldestFirst = (pendingByKey.get(key) ?? []).toSorted((one, other) =>
      firstDayOf(one).localeCompare(firstDayOf(other)),
    )
    // Earliest first: a pending entry that matches an earlier booked one also matches later ones.
    for (const day of days.toSorted()) {
      const match = oldestFirst.findIndex((entry) => !isNamedByPayers || mayBeBookedOn(entry, day))
      for (const found of match < 0 ? [] : oldestFirst.splice(match, 1)) {
        booked.add(found)
      }
    }
  }
  return booked
}

function mayBeBookedOn(pending: BankEntry, day: string): boolean {
  const first = firstDayOf(pending)
  return first === NO_DAY || first <= day
}

function keyOf({ lastingId, transactionId }: BankEntry): string | null {
  return lastingId ?? transactionId
}

/** Banks that repeat entries on another page repeat them unchanged; different ones without an id may be equal. */
function contentOf(entry: BankEntry): string | null {
  return entry.transactionId === null
    ? null
    : JSON.stringify(entry, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
}

/** Its earliest date: some banks report when it became pending, most only when it is expected. */
function firstDayOf(entry: BankEntry): string {
  return daysOf(entry)[0] ?? NO_DAY
}

/** Its latest date: banks may book before the value date. */
function lastDayOf(entry: BankEntry): string {
  return daysOf(entry).at(-1) ?? NO_DAY
}

function daysOf({ bookedOn, valueOn }: BankEntry): readonly string[] {
  return [bookedOn, valueOn].flatMap((day) => day?.toString() ?? []).toSorted()
}
