/** Reads the filters of the list of operator tasks from its URL. */
import { type TaskFilter, type TaskKind, type TaskStatus, taskKinds } from '../../gateway/operators/operator-task.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { FilterState } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { PARTNER_PARAMETER } from '../lists/partner-field.ts'
import { consoleText } from '../texts/console-texts.ts'

export const TASK_KINDS = Object.keys(taskKinds) as readonly TaskKind[]
export const TASK_STATUSES: readonly TaskStatus[] = ['open', 'proposed', 'resolved']

/** The filter, and the state of its form. */
export function parseTaskFilter({ viewer, query }: Pick<ConsoleRequest, 'viewer' | 'query'>): {
  readonly filter: TaskFilter
  readonly state: FilterState
} {
  const filters = filterReader(query)
  const filter: TaskFilter = {
    kind: filters.choice('kind', TASK_KINDS, consoleText('filters.noKind')),
    status: filters.choice('status', TASK_STATUSES, consoleText('filters.noStatus')),
    partnerId: partnerFilterOf(viewer, filters.id(PARTNER_PARAMETER)),
    after: filters.position(),
  }
  return { filter, state: { query, errors: filters.errors } }
}
