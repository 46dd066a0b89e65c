/** The tasks of one incident at a bank: of orders that it answered alike at about the same time, settled together. */

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../context.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import type { OperatorTask, TaskOfIncident } from './operator-task.ts'

/** The field of the detail that names the incident, the same in each of its tasks. */
export const INCIDENT = 'incident'

/** The name of an incident: its bank and when it began. */
export function incidentName(bank: string, at: Temporal.Instant): string {
  return `${bank} ${at.round('minute')}`
}

/** The open incident at a bank to which an order since then belongs. */
export async function findOpenIncident(
  { database }: Context,
  bank: string,
  since: Temporal.Instant,
): Promise<string | undefined> {
  const { rows } = await sql<{ incident: string }>`
    select detail->>'incident' as incident from operator_tasks
    where status = 'open' and created_at >= ${since.toString()}::timestamptz
      and split_part(detail->>'incident', ' ', 1) = ${bank}
    order by created_at desc limit 1`.execute(database.query)
  return rows[0]?.incident
}

/** The tasks of the incident of a task that are in the same state as it, oldest first; of one without an incident, none. */
export async function listTasksOfIncident(
  { database }: ProgramContext,
  { detail, status }: Pick<OperatorTask, 'detail' | 'status'>,
): Promise<readonly TaskOfIncident[]> {
  const incident = detail[INCIDENT]
  if (typeof incident !== 'string' || status === 'resolved') {
    return []
  }
  const { rows } = await sql<TaskOfIncident>`
    select id, partner_id as "partnerId", subject_id as "subjectId", proposed_resolution as "proposedResolution"
    from operator_tasks
    where status <> 'resolved' and status = ${status} and detail->>'incident' = ${incident}
    order by id`.execute(database.query)
  return rows
}

/** Of the tasks `t` in the same state, the first one stands for all; with a partner, the first of that partner. */
export function standsForItsIncident(partnerId: string | null = null): RawBuilder<SqlBool> {
  const ofPartner = partnerId === null ? sql`true` : sql`earlier.partner_id = ${partnerId}::uuid`
  return sql<SqlBool>`(t.detail->>'incident' is null or not exists (
    select from operator_tasks earlier
    where earlier.status <> 'resolved' and earlier.status = t.status and earlier.id < t.id and ${ofPartner}
      and earlier.detail->>'incident' = t.detail->>'incident'))`
}
