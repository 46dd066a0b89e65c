/** Parses the query parameters of a list of payments or payrolls, and cuts its pages, with their cursors. */

import type { QueryOf } from '../../contract/operation.ts'
import type { operations } from '../../contract/operations.ts'
import { PAYMENTS_PER_PAGE } from '../../contract/payments/payment-operations.ts'
import type { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import type { Context } from '../context.ts'
import { organisationNumberVariants } from '../countries/served-countries.ts'
import { presentFields } from '../platform/collections.ts'
import type { ValidationError } from '../platform/http/errors/api-error.ts'
import { type CursorScope, createCursor, parseCursor } from '../platform/http/operations/cursor.ts'
import type { Parsing } from '../platform/http/operations/served-operation.ts'
import { parseTimeParameter } from '../platform/http/parse-time-parameter.ts'

/** The query parameters, which are the same for both lists. */
export type ListQuery = QueryOf<typeof operations.listPayments>

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
  readonly after?: { readonly at: Temporal.Instant; readonly id: string }
}

/** A list as requested: its filters, the size of a page, and the request to which its cursors are bound. */
export type OrderList = { readonly filter: ListFilter; readonly limit: number; readonly scope: CursorScope }

/** The time zone of dates without a time. */
const DAYS_OF = 'UTC'

/**
 * Returns the list, or the errors that the schema cannot find: dates outside the calendar, empty ranges and invalid
 * cursors. `fromDate` and `toDate` refer to the creation of the order. A cursor is bound to the filters, but not to the page
 * size, which may change between pages.
 */
export function parseListQuery(
  { seal }: Pick<Context, 'seal'>,
  of: { readonly partnerId: string; readonly list: 'payments' | 'payrolls' },
  query: ListQuery,
  isValid: (path: string) => boolean,
): Parsing<OrderList> {
  const { limit = PAYMENTS_PER_PAGE.default, cursor, endToEndId, status, fromDate, toDate } = query
  const { updatedSince: changedSince, organizationNumber } = query
  const errors: ValidationError[] = []
  const reject = (name: keyof ListQuery, reason: string) =>
    errors.push({ code: 'InvalidRequest', reason, path: `.${name}` })
  const timeOf = (name: 'fromDate' | 'toDate' | 'updatedSince') => {
    const text = isValid(`.${name}`) ? query[name] : undefined
    const time = text === undefined ? undefined : parseTimeParameter(text, DAYS_OF)
    if (text !== undefined && time === undefined) {
      reject(name, 'is not a valid date')
    }
    return time
  }
  const [from, to, updatedSince] = [timeOf('fromDate'), timeOf('toDate'), timeOf('updatedSince')]
  // A range that can match nothing is a mistake of the partner.
  if (errors.length === 0 && from !== undefined && to !== undefined && Temporal.Instant.compare(to, from) < 0) {
    reject('toDate', 'is before fromDate')
  }
  // Not what else the query has: unknown parameters are ignored.
  const filters = { endToEndId, status, fromDate, toDate, updatedSince: changedSince, organizationNumber }
  const scope = { ...of, filters }
  const opened = cursor === undefined || !isValid('.cursor') ? undefined : parseCursor(seal, scope, cursor)
  if (opened !== undefined && 'fault' in opened) {
    reject('cursor', opened.fault)
    return errors
  }
  const [at, id] = opened?.place.split(' ') ?? []
  const isNumberValid = organizationNumber !== undefined && isValid('.organizationNumber')
  const filter = presentFields({
    ...{ endToEndId, status, updatedSince, createdFrom: from, createdBefore: to?.add({ hours: 24 }) },
    organisationNumbers: isNumberValid ? organisationNumberVariants(organizationNumber) : null,
    after: at === undefined || id === undefined ? null : { at: Temporal.Instant.from(at), id },
  })
  return errors.length > 0 ? errors : { parsed: { filter, limit, scope } }
}

type ListedOrder = { readonly id: string; readonly createdAt: Temporal.Instant; readonly changedAt: Temporal.Instant }

/** Returns a page of these rows, of which there is one more than fits if another page follows, and the cursor of that. */
export function pageOf<Row extends ListedOrder>(
  { seal }: Pick<Context, 'seal'>,
  { filter, limit, scope }: OrderList,
  rows: readonly Row[],
): { readonly page: readonly Row[]; readonly nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const at = filter.updatedSince === undefined ? last?.createdAt : last?.changedAt
  return { page, nextCursor: last === undefined ? null : createCursor(seal, scope, `${at} ${last.id}`) }
}
