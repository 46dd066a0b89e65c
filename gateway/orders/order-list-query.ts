/** Validates the query parameters of a list of payments or payrolls and reads and writes its cursors. */

import type { QueryOf } from '../../contract/operation.ts'
import type { operations } from '../../contract/operations.ts'
import type { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { Context } from '../context.ts'
import { organisationNumberVariants } from '../countries/served-countries.ts'
import type { ValidationError } from '../platform/http/errors/api-error.ts'
import { type CursorScope, createCursor, parseCursor } from '../platform/http/operations/cursor.ts'
import { parseTimeParameter } from '../platform/http/parse-time-parameter.ts'
import { presentFields } from '../platform/present-fields.ts'

/** The query parameters, which are the same for both lists. */
export type ListQuery = QueryOf<typeof operations.listPayments>

/** A list and the key with which its cursors are sealed. */
export type ListCursorScope = Pick<Context, 'seal'> & { readonly list: 'payments' | 'payrolls' }

/** The filters of a list. */
export type ListFilter = {
  readonly endToEndId?: string
  readonly status?: PaymentStatusValue
  readonly createdFrom?: Temporal.Instant
  readonly createdBefore?: Temporal.Instant
  readonly updatedSince?: Temporal.Instant
  /** The forms in which the company's number may be stored. */
  readonly organisationNumbers?: readonly string[]
  /** Where the previous page ended. */
  readonly after?: ListPosition
}

/** The position of a row in a list. */
export type ListPosition = { readonly at: Temporal.Instant; readonly id: string }

type Partner = Pick<PartnerCaller, 'partnerId'>

/** The time zone of dates without a time. */
const DAYS_OF = 'UTC'

/** Returns the errors that the schema cannot find: dates outside the calendar, empty ranges and invalid cursors. */
export function validateListQuery(
  of: ListCursorScope,
  caller: Partner,
  query: ListQuery,
  isValid: (path: string) => boolean,
): readonly ValidationError[] {
  const times = (['fromDate', 'toDate', 'updatedSince'] as const).flatMap((name) => {
    const text = query[name]
    const isTime = text === undefined || !isValid(`.${name}`) || parseTimeParameter(text, DAYS_OF) !== undefined
    return isTime ? [] : [listQueryError(name, 'is not a valid date')]
  })
  const areTimesValid = times.length === 0 && isValid('.fromDate') && isValid('.toDate')
  return [
    ...times,
    ...(areTimesValid ? validateRange(query) : []),
    ...(isValid('.cursor') ? validateCursor(of, caller, query) : []),
  ]
}

/** Returns the filters of a valid query. `fromDate` and `toDate` refer to the creation of the order. */
export function listFilterOf(of: ListCursorScope, caller: Partner, query: ListQuery): ListFilter {
  const { endToEndId, status, fromDate, toDate, updatedSince, organizationNumber, cursor } = query
  return {
    ...presentFields({ endToEndId, status }),
    ...(fromDate === undefined ? {} : { createdFrom: startOfValid(fromDate) }),
    ...(toDate === undefined ? {} : { createdBefore: startOfValid(toDate).add({ hours: 24 }) }),
    ...(updatedSince === undefined ? {} : { updatedSince: startOfValid(updatedSince) }),
    ...(organizationNumber === undefined
      ? {}
      : { organisationNumbers: organisationNumberVariants(organizationNumber) }),
    ...(cursor === undefined ? {} : { after: positionOfValid(of, caller, query, cursor) }),
  }
}

/** Returns the cursor of the next page, or null when there is no last row. */
export function nextCursorAfter(
  of: ListCursorScope,
  caller: Partner,
  query: ListQuery,
  last: ListPosition | undefined,
) {
  return last === undefined ? null : createCursor(of.seal, cursorScopeOf(of, caller, query), `${last.at} ${last.id}`)
}

/** A range that can match nothing is a mistake of the partner. */
function validateRange({ fromDate, toDate }: ListQuery): readonly ValidationError[] {
  return fromDate !== undefined && toDate !== undefined && toDate < fromDate
    ? [listQueryError('toDate', 'is before fromDate')]
    : []
}

function validateCursor(of: ListCursorScope, caller: Partner, query: ListQuery): readonly ValidationError[] {
  const { cursor } = query
  const parsed = cursor === undefined ? undefined : parseCursor(of.seal, cursorScopeOf(of, caller, query), cursor)
  return parsed === undefined || 'place' in parsed ? [] : [listQueryError('cursor', parsed.fault)]
}

/** A cursor is bound to the filters, but not to the page size, which may change between pages. */
function cursorScopeOf({ list }: ListCursorScope, { partnerId }: Partner, query: ListQuery): CursorScope {
  const { endToEndId, status, fromDate, toDate, updatedSince, organizationNumber } = query
  const filters = { endToEndId, status, fromDate, toDate, updatedSince, organizationNumber }
  return { partnerId, list, filters }
}

function startOfValid(text: string): Temporal.Instant {
  const start = parseTimeParameter(text, DAYS_OF)
  if (start === undefined) {
    throw new Error('Expected a validated time')
  }
  return start
}

function positionOfValid(of: ListCursorScope, caller: Partner, query: ListQuery, cursor: string): ListPosition {
  const parsed = parseCursor(of.seal, cursorScopeOf(of, caller, query), cursor)
  if (!('place' in parsed)) {
    throw new Error('Expected a validated cursor')
  }
  const [at = '', id = ''] = parsed.place.split(' ')
  return { at: Temporal.Instant.from(at), id }
}

function listQueryError(name: keyof ListQuery, reason: string): ValidationError {
  return { code: 'InvalidRequest', reason, path: `.${name}` }
}
