/** The tasks of one incident at a bank: of orders that it answered alike at about the same time, settled together. */

import type { Context } from '../context.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { selectOpenIncident, selectTasksOfIncident } from './incident-store.ts'
import type { OperatorTask, TaskOfIncident } from './operator-task.ts'

/** The field of the detail that names the incident, the same in each of its tasks. */
export const INCIDENT = 'incident'

/** The open incident at a bank to which an order since then belongs. */
export async function findOpenIncident(
  { database }: Context,
  bank: string,
  since: Temporal.Instant,
): Promise<string | undefined> {
  return await selectOpenIncident(database, bank, since)
}

/** The tasks of the incident of a task that are in the same state as it; of one without an incident, none. */
export async function listTasksOfIncident(
  { database }: ProgramContext,
  { detail, status }: Pick<OperatorTask, 'detail' | 'status'>,
): Promise<readonly TaskOfIncident[]> {
  const incident = detail[INCIDENT]
  return typeof incident !== 'string' || status === 'resolved'
    ? []
    : await selectTasksOfIncident(database, { incident, status })
}
