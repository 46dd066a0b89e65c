/** Reads the filters of the request log from the URL. */
import { lowestIdAt } from '../../gateway/platform/ids.ts'
import type { RequestScope } from '../../gateway/request-log/find-requests.ts'
import { type RequestFilter, STATUS_CLASSES } from '../../gateway/request-log/logged-request.ts'
import { isPermitted } from '../access/console-role.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { FilterState } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { AFTER_PARAMETER } from '../lists/next-page.ts'
import { PARTNER_PARAMETER } from '../lists/partner-field.ts'
import { instantForReaders } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'

export const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const

const PATH = /^\/\S*$/
const ERROR_CODE = /^\w{1,100}$/

/** Whose requests a user sees: salaries are in those of payrolls. */
export function requestScopeOf(viewer: Pick<Viewer, 'session'>, chosenPartner?: string): RequestScope {
  return {
    partnerId: partnerFilterOf(viewer, chosenPartner),
    payrolls: isPermitted(viewer.session.roles, 'payroll.read'),
  }
}

/** The filter, the `svc-request-id` that is searched for, and the state of the form. */
export function parseRequestFilter({ viewer, query }: Pick<ConsoleRequest, 'viewer' | 'query'>): {
  readonly filter: RequestFilter
  readonly id: string | undefined
  readonly state: FilterState
} {
  const filters = filterReader(query)
  const moment = (name: string) => filters.read(name, parseMoment, consoleText('requests.noMoment'))
  const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined)
  const scope = requestScopeOf(viewer, filters.id(PARTNER_PARAMETER))
  const [from, to, after] = [moment('from'), moment('to'), filters.id(AFTER_PARAMETER)]
  const errors = new Map(filters.errors)
  if (from !== undefined && to !== undefined && Temporal.Instant.compare(from, to) >= 0) {
    errors.set('to', consoleText('requests.endsBeforeStart'))
  }
  const filter: RequestFilter = {
    ...scope,
    method: filters.choice('method', METHODS, consoleText('filters.noChoice')),
    statusClass: filters.choice('status', STATUS_CLASSES, consoleText('filters.noStatus')),
    path: filters.read('path', matching(PATH), consoleText('requests.noPath')),
    errorCode: filters.read('code', matching(ERROR_CODE), consoleText('requests.noCode')),
    fromId: from && lowestIdAt(from),
    beforeId: after ?? (to && lowestIdAt(to)),
  }
  const id = filters.id('id')
  return { filter, id, state: { query, errors: new Map([...filters.errors, ...errors]) } }
}

/** As a browser sends a time: `2026-11-25T14:05`. */
function parseMoment(text: string): Temporal.Instant | undefined {
  try {
    return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)
      ? instantForReaders(Temporal.PlainDateTime.from(text, { overflow: 'reject' }))
      : undefined
  } catch {
    return undefined
  }
}
