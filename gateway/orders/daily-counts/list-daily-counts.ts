/** Lists how many payments were initiated on each day, and what has become of them. */
import type { Context } from '../../context.ts'
import { type CountedPeriod, type DailyCount, dailyCountsQuery, findCountedTo } from '../store/daily-count-store.ts'

export type { CountedPeriod, DailyCount } from '../store/daily-count-store.ts'

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
