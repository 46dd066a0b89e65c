/** Counts payments by the day of their creation, so that figures over time read no payments (decision 0103), and lists the counts. */
import type { Context } from '../../context.ts'
import { REPORTING_TIME_ZONE } from '../../countries/bank-days.ts'
import { earlierOf, monotonicMilliseconds } from '../../platform/clock.ts'
import { inTransaction, type Queryable } from '../../platform/database/in-transaction.ts'
import { attemptOf, processRow } from '../../platform/jobs/process-row.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../../platform/jobs/sweep-runner.ts'
import {
  type CountedPeriod,
  type CountPosition,
  changedDaysQuery,
  type DailyCount,
  dailyCountsQuery,
  deleteCountsBefore,
  findCountedTo,
  findNextCountTime,
  insertMissingPositions,
  listDuePartners,
  lockDuePosition,
  nonEmptyDaysQuery,
  postponeCount,
  replaceCounts,
  writePosition,
} from '../store/daily-count-store.ts'

/** Counts of older days are deleted; figures over time go back as far. */
export const COUNTED_DAYS = 100
/** A change may become visible later than at its own time: the statement that records it may wait or be repeated. */
const VISIBLE_WITHIN = { minutes: 5 }
/** Between two counts of a partner. */
const APART_MILLISECONDS = 10_000
/** At most this part of the time is spent on counting: the more there is to count, the later the figures are. */
const IDLE_PER_COUNT = 100

const PAYMENT_COUNTS = 'payment counts'

/** The sweep over partners whose payments are due to be counted. */
export function paymentCountSweep(context: Context): Sweep {
  return {
    name: PAYMENT_COUNTS,
    time: 'wall',
    everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS,
    nextDue: () => findNextCountTime(context.database),
    run: (limit) => countPayments(context, limit),
  }
}

/** Counts the payments of partners that are due; returns of how many. One whose count fails is put back. */
export async function countPayments(context: Context, limit: number): Promise<number> {
  const real = context.clock.real()
  await insertMissingPositions(context.database, real)
  let counted = 0
  for (const partnerId of await listDuePartners(context.database, real, limit)) {
    const row = await attemptOf(context, { sweep: PAYMENT_COUNTS, partnerId, rowId: partnerId })
    await processRow(
      context,
      row,
      async () => {
        counted += (await countPartner(context, partnerId)) ? 1 : 0
      },
      (delay) => postponeCount(context.database, partnerId, real.add(delay)),
    )
  }
  return counted
}

/** Counts the days with changes, and each day all of them once: that corrects what became visible too late. */
async function countPartner(context: Context, partnerId: string): Promise<boolean> {
  const [now, real, began] = [context.clock.now(), context.clock.real(), monotonicMilliseconds()]
  const today = context.clock.today(REPORTING_TIME_ZONE)
  const oldest = today.subtract({ days: COUNTED_DAYS - 1 })
  return await inTransaction(context, async (context) => {
    const position = await lockDuePosition(context.database, partnerId, real)
    if (position === undefined) {
      return false
    }
    if (position.recountedOn !== today.toString()) {
      await deleteCountsBefore(context.database, partnerId, oldest)
      const { rows } = await nonEmptyDaysQuery(partnerId, { from: oldest, to: today }).execute(context.database.query)
      for (const { day } of rows) {
        await replaceCounts(context.database, partnerId, Temporal.PlainDate.from(day))
      }
    }
    // Also after all days up to today: business time that was moved back leaves payments on later ones.
    for (const day of await changedDays(context.database, partnerId, { position, now, oldest })) {
      await replaceCounts(context.database, partnerId, day)
    }
    const pause = Math.max(APART_MILLISECONDS, Math.ceil(IDLE_PER_COUNT * (monotonicMilliseconds() - began)))
    const dueAt = real.add({ milliseconds: pause })
    await writePosition(context.database, partnerId, { countedTo: now, recountedOn: today, dueAt })
    return true
  })
}

/** Business time may have been moved back since the last count. */
async function changedDays(
  transaction: Queryable,
  partnerId: string,
  {
    position: { countedTo },
    now,
    oldest,
  }: { readonly position: CountPosition; readonly now: Temporal.Instant; readonly oldest: Temporal.PlainDate },
): Promise<readonly Temporal.PlainDate[]> {
  const last = countedTo === null ? now : earlierOf(countedTo, now)
  const { rows } = await changedDaysQuery(partnerId, last.subtract(VISIBLE_WITHIN)).execute(transaction.query)
  return rows
    .map(({ day }) => Temporal.PlainDate.from(day))
    .filter((day) => Temporal.PlainDate.compare(day, oldest) >= 0)
}

export type { DailyCount }

/** The counts, and the business time up to which they are complete; null before the first count. */
export type DailyCounts = { readonly counts: readonly DailyCount[]; readonly countedTo: Temporal.Instant | null }

/** `partnerId` is null for all partners. */
export async function listDailyCounts(
  { database }: Context,
  partnerId: string | null,
  period: CountedPeriod,
): Promise<DailyCounts> {
  const [{ rows }, countedTo] = await Promise.all([
    dailyCountsQuery(partnerId, period).execute(database.query),
    findCountedTo(database, partnerId),
  ])
  return { counts: rows, countedTo }
}
