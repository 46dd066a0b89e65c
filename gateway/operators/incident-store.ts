/** Queries on the tasks of one incident at a bank: those that it answered alike at about the same time, settled together. */
import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import type { OperatorTask, TaskOfIncident } from './operator-task.ts'

/** The incident at a bank to which an order since then belongs, if one is open. */
export async function selectOpenIncident(
  database: Database<unknown>,
  bank: string,
  since: Temporal.Instant,
): Promise<string | undefined> {
  const { rows } = await sql<{ incident: string }>`
    select detail->>'incident' as incident from operator_tasks
    where status = 'open' and created_at >= ${since.toString()}::timestamptz
      and starts_with(detail->>'incident', ${bank})
    order by created_at desc limit 1`.execute(database.query)
  return rows[0]?.incident
}

/** The tasks of an incident in a state, oldest first. */
export async function selectTasksOfIncident(
  database: Database<unknown>,
  { incident, status }: { readonly incident: string; readonly status: OperatorTask['status'] },
): Promise<readonly TaskOfIncident[]> {
  const { rows } = await sql<TaskOfIncident>`
    select id, partner_id as "partnerId", subject_id as "subjectId", proposed_resolution as "proposedResolution"
    from operator_tasks
    where status <> 'resolved' and status = ${status} and detail->>'incident' = ${incident}
    order by id`.execute(database.query)
  return rows
}
