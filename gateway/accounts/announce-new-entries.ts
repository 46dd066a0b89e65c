/** Reports booked entries that were not there when their account was read before. Nothing is read for it. */
import { createHash } from 'node:crypto'
import { ACCOUNT_ENTRIES_BOOKED } from '../../contract/webhooks/event-types.ts'
import type { BookedEntry, DayRange } from '../banks/connector/bank-account.ts'
import type { Consent } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { retentionSweep } from '../platform/jobs/retention-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { enqueueSelectedEvents, findEventSelection } from '../webhooks/events/enqueue-selected-events.ts'
import { lockEventStream } from '../webhooks/store/lock-event-stream.ts'
import { type DayCount, purgeEntryCounts, recordEntryCounts } from './entry-count-store.ts'

/** Older entries are history that is read for the first time. */
const REPORTED_WITHIN = { days: 60 }
/** Days on which entries may still be reported, and some more. */
export const ENTRY_COUNT_RETENTION = { days: 90 }

/** How many booked entries were read of each day. */
export type EntriesByDay = Map<string, number>

/** A complete read of an account between two days. */
export type EntryRead = {
  readonly consent: Pick<Consent, 'partnerId' | 'id'>
  readonly accountStableId: string
  readonly days: DayRange
  readonly entriesByDay: Readonly<EntriesByDay>
}

/** Counts booked entries of a read, page by page. */
export function countEntries(entriesByDay: EntriesByDay, booked: readonly Pick<BookedEntry, 'bookedOn'>[]): void {
  for (const { bookedOn } of booked) {
    if (bookedOn !== null) {
      const day = bookedOn.toString()
      entriesByDay.set(day, (entriesByDay.get(day) ?? 0) + 1)
    }
  }
}

/** One event for all new entries of the read. Without a subscription to it nothing is stored. */
export async function announceNewEntries(
  context: Context,
  { consent, accountStableId, days, entriesByDay }: EntryRead,
): Promise<void> {
  const { partnerId, id: consentId } = consent
  const counts = reportedCounts(entriesByDay, days, context.clock.today('UTC').subtract(REPORTED_WITHIN))
  const selects = counts.length === 0 ? () => false : await findEventSelection(context.database, partnerId)
  if (!selects(ACCOUNT_ENTRIES_BOOKED)) {
    return
  }
  await inTransaction(context, async (context) => {
    // Of two concurrent reads the second compares with what the first has recorded.
    await lockEventStream(context.database, partnerId)
    const added = await recordEntryCounts(context.database, { partnerId, accountId: accountStableId }, counts)
    const [first, last] = [added[0], added.at(-1)]
    if (first === undefined || last === undefined) {
      return
    }
    const newEntries = added.reduce((sum, { entries }) => sum + entries, 0)
    const period = { fromDate: first.day.toString(), toDate: last.day.toString() }
    const data = { accountStableId, consentId, newEntries, ...period }
    const change = { type: ACCOUNT_ENTRIES_BOOKED, subjectId: subjectIdOf(accountStableId), data } as const
    await enqueueSelectedEvents(context.database, { partnerId, at: context.clock.now(), selects }, [change])
  })
}

/** Banks may return an entry outside the period; of its day the others are missing. */
function reportedCounts(
  entriesByDay: EntryRead['entriesByDay'],
  { from, to }: DayRange,
  earliest: Temporal.PlainDate,
): readonly DayCount[] {
  const first = Temporal.PlainDate.compare(from, earliest) > 0 ? from : earliest
  return [...entriesByDay]
    .filter(([day]) => day >= first.toString() && day <= to.toString())
    .map(([day, entries]) => ({ day: Temporal.PlainDate.from(day), entries }))
}

/** Subjects of events are UUIDs; the stable id of an account is a hash in another notation. */
function subjectIdOf(accountStableId: string): string {
  const hex = createHash('sha256').update(accountStableId).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

/** Rows of a batch. */
const COUNTS_PER_BATCH = 500

/** The sweep over these counts. */
export function entryCountRetentionSweep(context: ProgramContext): Sweep {
  const { database, clock } = context
  return retentionSweep('account entry count retention', context, (_real, purge) => {
    const before = clock.today('UTC').subtract(ENTRY_COUNT_RETENTION)
    return purge.run('counts', COUNTS_PER_BATCH, (range) => purgeEntryCounts(database, before, range))
  })
}
