/** Reads the filters of the audit log from its URL. */
import type { AuditLogFilter } from '../../gateway/operators/audit-entry.ts'
import { lowestIdAt } from '../../gateway/platform/ids.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { FilterState } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { AFTER_PARAMETER } from '../lists/next-page.ts'

/** The filter, and the state of its form. The last day is included. */
export function parseAuditLogFilter({ viewer, query }: Pick<ConsoleRequest, 'viewer' | 'query'>): {
  readonly filter: AuditLogFilter
  readonly state: FilterState
} {
  const filters = filterReader(query)
  const { createdFrom, createdBefore } = filters.period()
  const after = filters.id(AFTER_PARAMETER)
  const filter: AuditLogFilter = {
    partnerId: partnerFilterOf(viewer, filters.id('partner')),
    subjectId: filters.read('subject', (text) => text, ''),
    fromId: createdFrom && lowestIdAt(createdFrom),
    beforeId: after ?? (createdBefore && lowestIdAt(createdBefore)),
  }
  return { filter, state: { query, errors: filters.errors } }
}
