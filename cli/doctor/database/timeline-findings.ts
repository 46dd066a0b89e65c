/** Checks that what was lost is recorded of each promotion of the database. */
import { isTimelineRecorded } from '../../../gateway/operators/record-failover.ts'
import type { Database } from '../../../gateway/platform/database/database.ts'
import { readTimeline, type Timeline } from '../../../gateway/platform/database/timeline.ts'
import { checksOf, type Finding, findingsOf } from '../check.ts'

const { warning } = checksOf('operating/backups.md#after-a-failover')
const FIRST_TIMELINE = 1

export const TIMELINE_CHECKS = {
  'database-promoted': warning(
    'the database was restored, or a replica was promoted, and nothing is recorded of what was lost',
  ),
}

/** A restore and a failover both begin a timeline, and only operators know which of the two it was. */
export async function timelineFindings(stores: Database<unknown>): Promise<readonly Finding[]> {
  const timeline = await readTimeline(stores)
  return timeline === null || timeline.number === FIRST_TIMELINE
    ? []
    : findingsOfTimeline(timeline, await isTimelineRecorded(stores, timeline))
}

export function findingsOfTimeline({ number }: Timeline, isRecorded: boolean): readonly Finding[] {
  return findingsOf('database-promoted', !isRecorded, () => ({
    problem: `The database continues on timeline ${number}, which a restore or a failover began, and nothing is recorded of it`,
    where: 'DATABASE_URL',
    action:
      'After a restore, or a failover that lost something: stop gateways and workers, and run havn after-restore --to TIME. ' +
      'After a failover that lost nothing: havn after-restore --nothing-lost.',
  }))
}
