/** Reads the booked and pending entries of an account, each of them once. */
import type { Deviation } from '../../../../platform/http/tolerant-reader.ts'
import type { BankEntry, BookedEntry, DayRange, EntriesQuery } from '../../../connector/bank-account.ts'
import { UnreadableAnswerError } from '../../../connector/bank-error.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import type { AnswerDeviation } from '../../../connector/connector-dependencies.ts'
import { dialectOf } from '../dialect.ts'
import type { BerlinGroupRequest } from '../transport/send-request.ts'
import { createPendingEntries } from './pending-entries.ts'
import type { ReportEntry } from './read-report-entries.ts'
import { type ReportContext, readTransactionReports } from './read-transaction-reports.ts'
import { entryOriginOf, INVALID_AMOUNT, toBankEntry } from './translate-entries.ts'
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
    for await (const listed of readTransactionReports(way, { ...transactions, query: queryOf(bookingStatus, days) })) {
      const wanted = listed.filter(({ list }) => which === 'both' || list === which)
      const entries = readEntries(way, transactions, wanted)
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
  for await (const listed of readTransactionReports(way, { ...transactions, query: queryOf('booked', days) })) {
    const booked = listed.filter(({ list }) => list === 'booked')
    entries.push(...readEntries(way, transactions, booked))
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

/** The entries of a page; a damaged one is left out and reported, because the others are still true. */
function readEntries(
  { line, caller }: ReportContext,
  { operation }: BerlinGroupRequest,
  listed: readonly ReportEntry[],
): readonly BankEntry[] {
  const origin = entryOriginOf(caller.bank)
  const deviations: AnswerDeviation[] = []
  const entries = listed.flatMap(({ list, value }) => {
    const report = ({ path, reason, effect }: Deviation) =>
      deviations.push({
        path: [`${list}[]`, ...(path === '' ? [] : [path])].join('.'),
        reason,
        effect: effect === 'unreadable' ? 'dropped' : effect,
      })
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

/** Entries without a date come first. */
function dayOf({ bookedOn }: BookedEntry): string {
  return bookedOn?.toString() ?? ''
}
