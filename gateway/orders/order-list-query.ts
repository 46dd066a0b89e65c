/** Reads what a list of payments, or of payrolls, is narrowed to, and where the page before ended. */
import type { QueryOf } from '../../contract/operation.ts'
import type { operations } from '../../contract/operations.ts'
import type { PaymentStatusValue } from '../../contract/shapes.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Context } from '../context.ts'
import { formsOfOrganisationNumber } from '../countries/organisation-number.ts'
import { type ListAsked, readCursor, writeCursor } from '../foundation/http/cursor.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'
import { readAskedTime } from '../platform/http/parse-time-parameter.ts'

/** As partners ask; both lists take the same. */
export type ListQuery = QueryOf<typeof operations.listPayments>

/** A list, and what its cursors are sealed with. */
export type ListOf = Pick<Context, 'seal'> & { readonly list: 'payments' | 'payrolls' }

/** What a list may be narrowed to. */
export type ListFilter = {
  readonly endToEndId?: string
  readonly status?: PaymentStatusValue
  readonly createdFrom?: Temporal.Instant
  readonly createdBefore?: Temporal.Instant
  readonly updatedSince?: Temporal.Instant
  /** The forms in which the company's number may be kept. */
  readonly organisationNumbers?: readonly string[]
  /** Where the page before ended. */
  readonly after?: ListPlace
}

/** Where a row stands in a list. */
export type ListPlace = { readonly at: Temporal.Instant; readonly id: string }

type Whose = Pick<PartnerCaller, 'partnerId'>

/** Where the bare days of a query begin and end. */
const DAYS_OF = 'UTC'

/** What a list is asked for that no calendar and no page before holds. */
export function listProblems(
  of: ListOf,
  caller: Whose,
  query: ListQuery,
  isSound: (path: string) => boolean,
): readonly Problem[] {
  const times = (['fromDate', 'toDate', 'updatedSince'] as const).flatMap((name) => {
    const text = query[name]
    const isTime = text === undefined || !isSound(`.${name}`) || readAskedTime(text, DAYS_OF) !== undefined
    return isTime ? [] : [problem(name, 'is no day of the calendar')]
  })
  const mayBeRead = times.length === 0 && isSound('.fromDate') && isSound('.toDate')
  return [
    ...times,
    ...(mayBeRead ? emptySpans(query) : []),
    ...(isSound('.cursor') ? cursorProblems(of, caller, query) : []),
  ]
}

/** Of a query without problems. Days mean days of ordering. */
export function filterOf(of: ListOf, caller: Whose, query: ListQuery): ListFilter {
  const { endToEndId, status, fromDate, toDate, updatedSince, organizationNumber, cursor } = query
  return {
    ...(endToEndId === undefined ? {} : { endToEndId }),
    ...(status === undefined ? {} : { status }),
    ...(fromDate === undefined ? {} : { createdFrom: startOfSound(fromDate) }),
    ...(toDate === undefined ? {} : { createdBefore: startOfSound(toDate).add({ hours: 24 }) }),
    ...(updatedSince === undefined ? {} : { updatedSince: startOfSound(updatedSince) }),
    ...(organizationNumber === undefined ? {} : { organisationNumbers: formsOfOrganisationNumber(organizationNumber) }),
    ...(cursor === undefined ? {} : { after: placeOfSound(of, caller, query, cursor) }),
  }
}

/** What leads on from the last row of a page; null without one. */
export function nextCursorAfter(of: ListOf, caller: Whose, query: ListQuery, last: ListPlace | undefined) {
  return last === undefined ? null : writeCursor(of.seal, listAsked(of, caller, query), `${last.at} ${last.id}`)
}

/** Days that hold nothing whatever there is are a slip of the asker. */
function emptySpans({ fromDate, toDate }: ListQuery): readonly Problem[] {
  return fromDate !== undefined && toDate !== undefined && toDate < fromDate
    ? [problem('toDate', 'is before fromDate')]
    : []
}

function cursorProblems(of: ListOf, caller: Whose, query: ListQuery): readonly Problem[] {
  const { cursor } = query
  const reading = cursor === undefined ? undefined : readCursor(of.seal, listAsked(of, caller, query), cursor)
  return reading === undefined || 'place' in reading ? [] : [problem('cursor', reading.fault)]
}

/** What a cursor belongs to. How many rows a page holds may change on the way. */
function listAsked({ list }: ListOf, { partnerId }: Whose, query: ListQuery): ListAsked {
  const { endToEndId, status, fromDate, toDate, updatedSince, organizationNumber } = query
  const filters = { endToEndId, status, fromDate, toDate, updatedSince, organizationNumber }
  return { partnerId, list, filters }
}

function startOfSound(text: string): Temporal.Instant {
  const start = readAskedTime(text, DAYS_OF)
  if (start === undefined) {
    throw new Error('A time got past the rules')
  }
  return start
}

function placeOfSound(of: ListOf, caller: Whose, query: ListQuery, cursor: string): ListPlace {
  const reading = readCursor(of.seal, listAsked(of, caller, query), cursor)
  if (!('place' in reading)) {
    throw new Error('A cursor got past the rules')
  }
  const [at = '', id = ''] = reading.place.split(' ')
  return { at: Temporal.Instant.from(at), id }
}

function problem(name: keyof ListQuery, reason: string): Problem {
  return { code: 'InvalidRequest', reason, path: `.${name}` }
}
