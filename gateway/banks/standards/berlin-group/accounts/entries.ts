/** Reads the entries of an account as they are asked for: booked, pending or both, each of them once. */
import type { BankEntry, BookedEntry, DayRange, EntriesAsked } from '../../../connector/bank-account.ts'
import { BankRefusal } from '../../../connector/bank-error.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import { dialectOf } from '../dialect.ts'
import type { Question } from '../transport/send-request.ts'
import { openPending } from './pending-entries.ts'
import { type ReportWay, readReports } from './read-transaction-reports.ts'
import type { ScannedEntry } from './transaction-report-scanner.ts'
import { entryOf, originOf, readableEntry } from './translate-entries.ts'
import { readEntry } from './wire-accounts.ts'

/** Some weeks of entries, to find payments among. */
const BOOKED_HELD_MAX = 100_000

/** Entries as the bank lists them, pending ones last, and none of those that it lists as booked too. */
export async function* entryBatches(
  way: ReportWay,
  transactions: Question,
  { days, which }: EntriesAsked,
): AsyncGenerator<readonly BankEntry[]> {
  const origin = originOf(way.caller.bank)
  const pending = openPending(origin, days.to)
  for (const bookingStatus of statusesToAsk(way.caller, which)) {
    for await (const listed of readReports(way, { ...transactions, query: queryOf(bookingStatus, days) })) {
      const entries = listed
        .filter(({ list }) => which === 'both' || list === which)
        .map(({ list, value }) => readableEntry(shapeOf(value), list, origin))
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

/** What was booked, oldest first; entries of one day stay in the bank's order. One without a readable amount is left out. */
export async function bookedOnly(
  way: ReportWay,
  transactions: Question,
  days: DayRange,
): Promise<readonly BookedEntry[]> {
  const origin = originOf(way.caller.bank)
  const entries: BookedEntry[] = []
  for await (const listed of readReports(way, { ...transactions, query: queryOf('booked', days) })) {
    const booked = listed.filter(({ list }) => list === 'booked')
    entries.push(...booked.flatMap(({ value }) => entryOf(shapeOf(value), 'booked', origin) ?? []))
    if (entries.length > BOOKED_HELD_MAX) {
      throw new BankRefusal('unavailable', `The bank lists more than ${BOOKED_HELD_MAX} entries`)
    }
  }
  return entries.sort((one, other) => dayOf(one).localeCompare(dayOf(other)))
}

/** Pending ones come first: one that is booked meanwhile is then seen twice, and not missed. */
function statusesToAsk(
  { bank: { profile } }: BankCaller,
  which: EntriesAsked['which'],
): readonly ('booked' | 'pending' | 'both')[] {
  if (!profile.entries.pending) {
    return which === 'pending' ? [] : ['booked']
  }
  return which === 'both' && dialectOf(profile).entries.pending === 'apart' ? ['pending', 'booked'] : [which]
}

function queryOf(bookingStatus: string, { from, to }: DayRange): Readonly<Record<string, string>> {
  return { bookingStatus, dateFrom: from.toString(), dateTo: to.toString() }
}

function shapeOf(value: ScannedEntry['value']) {
  const entry = readEntry(value)
  if (entry === undefined) {
    throw new BankRefusal('unavailable', 'The bank tells of an entry that is not of the standard’s shape')
  }
  return entry
}

/** Entries without a day come first: they are the ones that nobody should overlook. */
function dayOf({ bookedOn }: BookedEntry): string {
  return bookedOn?.toString() ?? ''
}
