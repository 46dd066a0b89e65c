/** Lists a partner's payments: narrowed as asked, page by page. */
import type { QueryOf } from '../../contract/operation.ts'
import type { operations } from '../../contract/operations.ts'
import { PAYMENTS_PER_PAGE, type PaymentPage } from '../../contract/payments.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Context } from '../context.ts'
import { formsOfOrganisationNumber } from '../countries/organisation-number.ts'
import { readAskedTime } from '../foundation/asked-time.ts'
import { type ListAsked, readCursor, writeCursor } from '../foundation/http/cursor.ts'
import type { Problem } from '../foundation/http/refusal.ts'
import { listPaymentsOf, type PaymentFilter, type PaymentPlace, placeIn } from './payment-list-store.ts'
import { listedOf } from './show-payment.ts'

type ListQuery = QueryOf<typeof operations.listPayments>
type Surroundings = Pick<Context, 'database' | 'seal'>
type Whose = Pick<PartnerCaller, 'partnerId'>

/** Where the bare days of a query begin and end. */
const DAYS_OF = 'UTC'

/** What a list is asked for that no calendar and no page before holds. */
export function listProblems(
  context: Surroundings,
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
    ...(isSound('.cursor') ? cursorProblems(context, caller, query) : []),
  ]
}

/** A page of the partner's payments, oldest first; those that changed since a time by their last change. */
export async function listPayments(context: Surroundings, caller: Whose, query: ListQuery): Promise<PaymentPage> {
  const limit = query.limit ?? PAYMENTS_PER_PAGE.default
  const after = query.cursor === undefined ? undefined : placeOfSound(context, caller, query, query.cursor)
  const filter = { ...filterOf(query), ...(after === undefined ? {} : { after }) }
  const payments = await listPaymentsOf(context.database, caller.partnerId, filter, limit + 1)
  const page = payments.slice(0, limit)
  const last = payments.length > limit ? page.at(-1) : undefined
  const place = last === undefined ? undefined : placeIn(filter, last)
  const nextCursor = place && writeCursor(context.seal, listAsked(caller, query), `${place.at} ${place.id}`)
  return { payments: page.map(listedOf), nextCursor: nextCursor ?? null }
}

/** Days that hold nothing whatever there is are a slip of the asker. */
function emptySpans({ fromDate, toDate }: ListQuery): readonly Problem[] {
  return fromDate !== undefined && toDate !== undefined && toDate < fromDate
    ? [problem('toDate', 'is before fromDate')]
    : []
}

function cursorProblems({ seal }: Surroundings, caller: Whose, query: ListQuery): readonly Problem[] {
  const reading = query.cursor === undefined ? undefined : readCursor(seal, listAsked(caller, query), query.cursor)
  return reading === undefined || 'place' in reading ? [] : [problem('cursor', reading.fault)]
}

/** What a cursor belongs to. How many payments a page holds may change on the way. */
function listAsked({ partnerId }: Whose, query: ListQuery): ListAsked {
  const { endToEndId, status, fromDate, toDate, updatedSince, organizationNumber } = query
  const filters = { endToEndId, status, fromDate, toDate, updatedSince, organizationNumber }
  return { partnerId, list: 'payments', filters }
}

/** Days mean days of ordering. */
function filterOf(query: ListQuery): PaymentFilter {
  const { endToEndId, status, fromDate, toDate, updatedSince, organizationNumber } = query
  return {
    ...(endToEndId === undefined ? {} : { endToEndId }),
    ...(status === undefined ? {} : { status }),
    ...(fromDate === undefined ? {} : { createdFrom: startOfSound(fromDate) }),
    ...(toDate === undefined ? {} : { createdBefore: startOfSound(toDate).add({ hours: 24 }) }),
    ...(updatedSince === undefined ? {} : { updatedSince: startOfSound(updatedSince) }),
    ...(organizationNumber === undefined ? {} : { organisationNumbers: formsOfOrganisationNumber(organizationNumber) }),
  }
}

function startOfSound(text: string): Temporal.Instant {
  const start = readAskedTime(text, DAYS_OF)
  if (start === undefined) {
    throw new Error('A time got past the rules')
  }
  return start
}

function placeOfSound({ seal }: Surroundings, caller: Whose, query: ListQuery, cursor: string): PaymentPlace {
  const reading = readCursor(seal, listAsked(caller, query), cursor)
  if (!('place' in reading)) {
    throw new Error('A cursor got past the rules')
  }
  const [at = '', id = ''] = reading.place.split(' ')
  return { at: Temporal.Instant.from(at), id }
}

function problem(name: keyof ListQuery, reason: string): Problem {
  return { code: 'InvalidRequest', reason, path: `.${name}` }
}
