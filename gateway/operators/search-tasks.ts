/** Searches operator tasks by kind, status and partner. */

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../context.ts'
import { PARTNERS, partnerListFilter } from '../partners/partner-rows.ts'
import { prefixedColumns } from '../platform/database/sql-fragments.ts'
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
function waitingQuery({ status, partnerId, after, ...filter }: TaskFilter, limit: number): RawBuilder<FoundTask> {
  const conditions = [sql<SqlBool>`t.status <> 'resolved'`, standsForItsIncident(partnerId), ...kindCondition(filter)]
  if (status !== undefined) {
    conditions.push(sql`t.status = ${status}`)
  }
  if (partnerId !== null) {
    conditions.push(sql`t.partner_id = ${partnerId}::uuid`)
  }
  if (after !== undefined) {
    conditions.push(sql`(t.created_at, t.id) > (${after.createdAt.toString()}::timestamptz, ${after.id}::uuid)`)
  }
  return sql<FoundTask>`
    select ${COLUMNS} from operator_tasks t left join ${PARTNERS} on o.id = t.partner_id
    where ${sql.join(conditions, sql` and `)} order by t.created_at, t.id limit ${limit}`
}

/** Each partner's are read in the order of the primary key, whose ids are in the order of time; partners are few. */
function resolvedQuery({ partnerId, after, ...filter }: TaskFilter, limit: number): RawBuilder<FoundTask> {
  const conditions = [sql<SqlBool>`status = 'resolved'`, ...kindCondition(filter)]
  if (after !== undefined) {
    conditions.push(sql`id < ${after.id}::uuid`)
  }
  return sql<FoundTask>`
    select ${COLUMNS}
    from (select id, name from ${PARTNERS} union all select ${NO_PARTNER}::uuid, null) o, lateral (
      select * from operator_tasks where partner_id = o.id and ${sql.join(conditions, sql` and `)}
      order by id desc limit ${limit}) t
    where ${partnerListFilter(partnerId)}
    order by t.id desc limit ${limit}`
}

function kindCondition({ kind }: Pick<TaskFilter, 'kind'>): readonly RawBuilder<SqlBool>[] {
  return kind === undefined ? [] : [sql`kind = ${kind}`]
}
