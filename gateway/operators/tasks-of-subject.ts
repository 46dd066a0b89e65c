/** Lists the tasks of payments and other subjects, for the pages that show what happened to them. */
import { type RawBuilder, sql } from 'kysely'
import type { PartnerRows, Waiting } from '../partners/partner-rows.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { standsForItsIncident } from './incident.ts'
import type { OperatorTask } from './operator-task.ts'

export const TASK_ROWS: PartnerRows = { table: 'operator_tasks', noun: 'task', label: sql`kind` }

export type TaskOfSubject = Pick<OperatorTask, 'id' | 'kind' | 'createdAt' | 'advice' | 'status'>

/** Where each transaction of a payroll is an order, many may have the same task: the oldest are enough. */
const TASKS_MAX = 20

/** Oldest first. */
export async function listTasksOfSubject(
  database: Queryable,
  { partnerId, id }: { readonly partnerId: string; readonly id: string },
): Promise<readonly TaskOfSubject[]> {
  return await listTasksOfSubjects(database, partnerId, sql`select ${id}::uuid as id`)
}

/** Of the subjects whose ids a query selects; oldest first. */
export async function listTasksOfSubjects(
  { query }: Queryable,
  partnerId: string,
  subjects: RawBuilder<unknown>,
): Promise<readonly TaskOfSubject[]> {
  const { rows } = await sql<TaskOfSubject>`
    select k.id, k.kind, k.created_at as "createdAt", k.advice, k.status
    from (${subjects}) p cross join lateral (
      select * from operator_tasks where partner_id = ${partnerId} and subject_id = p.id limit ${TASKS_MAX}) k
    order by k.created_at, k.id limit ${TASKS_MAX}`.execute(query)
  return rows
}

/** The version of the tasks of the payment `p`, as a part of a statement. */
export const TASKS_VERSION = sql`(
  select string_agg(o.status, ' ' order by o.id)
  from operator_tasks o where o.partner_id = p.partner_id and o.subject_id = p.id)`

/** Open tasks, an incident as one, and since when the oldest waits. */
export async function countOpenTasks({ query }: Queryable): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    select count(*)::int as count, min(created_at) as first from operator_tasks t
    where status <> 'resolved' and ${standsForItsIncident()}`.execute(query)
  return rows[0] ?? { count: 0, first: null }
}
