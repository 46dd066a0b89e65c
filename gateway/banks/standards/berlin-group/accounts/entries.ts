/** Reads the booked and pending entries of an account, each of them once. */
import type { Deviation } from '../../../../platform/http/tolerant-reader.ts'
import type { BankEntry, BookedEntry, DayRange, EntriesQuery } from '../../../connector/bank-account.ts'
import { UnreadableAnswerError } from '../../../connector/bank-error.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import type { AnswerDeviation } from '../../../connector/connector-dependencies.ts'
import { dialectOf } from '../dialect.ts'
import type { BerlinGroupRequest } from '../transport/send-request.ts'
import { createPendingEntries } from './pending-entries.ts'
import { type ReportContext, type ReportEntry, readTransactionReports } from './read-transaction-reports.ts'
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
  for await (const batch of readTransactionReports(way, request)) {
    const wanted = batch.filter(({ list }) => which === 'both' || list === which)
    const entries = readEntries(way, request, wanted)
    listed += wanted.length
    read += entries.length
    yield entries
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
