/** Searches operator tasks by kind, status and partner. */

import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import { PARTNERS, partnerListFilter } from '../partners/partner-rows.ts'
import { allOf, prefixedColumns, timestamp } from '../platform/database/sql-fragments.ts'
import { NO_PARTNER } from './audit-log.ts'
import { standsForItsIncident } from './incident.ts'
import type { FoundTask, TaskFilter } from './operator-task.ts'
import { TASK } from './raise-task.ts'

/** Tasks that wait, the oldest first; resolved ones, the newest first. At most `limit`. */
export async function searchTasks(
  { database }: Context,
  filter: TaskFilter,
  limit: number,
): Promise<readonly FoundTask[]> {
  return (await taskSearchQuery(filter, limit).execute(database.query)).rows
}

const COLUMNS = sql`${sql.raw(prefixedColumns('t', TASK))}, o.name as "partnerName"`

/** Exported for the test of its plan. */
export function taskSearchQuery(filter: TaskFilter, limit: number): RawBuilder<FoundTask> {
  return filter.status === 'resolved' ? resolvedQuery(filter, limit) : waitingQuery(filter, limit)
}

/** Tasks that wait are few – an incident is one –, and have an index of their own. */
function waitingQuery({ kind, status, partnerId, after }: TaskFilter, limit: number): RawBuilder<FoundTask> {
  const isSought = allOf(
    sql`t.status <> 'resolved'`,
    standsForItsIncident(partnerId),
    kind !== undefined && sql`kind = ${kind}`,
    status !== undefined && sql`t.status = ${status}`,
    partnerId !== null && sql`t.partner_id = ${partnerId}::uuid`,
    after !== undefined && sql`(t.created_at, t.id) > (${timestamp(after.createdAt)}, ${after.id}::uuid)`,
  )
  return sql<FoundTask>`
    select ${COLUMNS} from operator_tasks t left join ${PARTNERS} on o.id = t.partner_id
    where ${isSought} order by t.created_at, t.id limit ${limit}`
}

/** Each partner's are read in the order of the primary key, whose ids are in the order of time; partners are few. */
function resolvedQuery({ kind, partnerId, after }: TaskFilter, limit: number): RawBuilder<FoundTask> {
  const isSought = allOf(
    sql`partner_id = o.id and status = 'resolved'`,
    kind !== undefined && sql`kind = ${kind}`,
    after !== undefined && sql`id < ${after.id}::uuid`,
  )
  return sql<FoundTask>`
    select ${COLUMNS}
    from (select id, name from ${PARTNERS} union all select ${NO_PARTNER}::uuid, null) o, lateral (
      select * from operator_tasks where ${isSought}
      order by id desc limit ${limit}) t
    where ${partnerListFilter(partnerId)}
    order by t.id desc limit ${limit}`
}
