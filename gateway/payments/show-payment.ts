/** Shows payments to the partner that made them: one, its status, and lists. */

import type { QueryOf } from '../../contract/operation.ts'
import type { operations } from '../../contract/operations.ts'
import type { Payment as PaymentDetail, PaymentListed, PaymentPage } from '../../contract/payments.ts'
import { PAYMENTS_PER_PAGE } from '../../contract/payments.ts'
import type { PaymentStatus as StatusShown } from '../../contract/shapes.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Context } from '../context.ts'
import { readAskedTime } from '../foundation/asked-time.ts'
import { type Problem, refuse } from '../foundation/http/refusal.ts'
import { isId } from '../foundation/ids.ts'
import { printMoney } from '../foundation/money.ts'
import { followPayment } from './follow-payment.ts'
import { isFinal, isOutcomeUnknown, type Payment, shownStatus } from './payment.ts'
import { listPaymentsOf, type PaymentFilter, type PaymentPlace, placeIn } from './payment-list-store.ts'
import { findPayment, listHistory } from './payment-store.ts'
import { claimRead } from './status-store.ts'

/** Longer than a read at a bank may take. */
const READ_LEASE = { minutes: 3 }

/** Where the bare days of a query begin and end. */
const DAYS_OF = 'UTC'

type ListQuery = QueryOf<typeof operations.listPayments>

/** What a list is asked for that no calendar and no page before holds. */
export function listProblems(query: ListQuery, isSound: (path: string) => boolean): readonly Problem[] {
  const { cursor } = query
  const times = (['fromDate', 'toDate', 'updatedSince'] as const).flatMap((name) => {
    const text = query[name]
    const isTime = text === undefined || !isSound(`.${name}`) || readAskedTime(text, DAYS_OF) !== undefined
    return isTime ? [] : [{ code: 'InvalidRequest', reason: 'is no day of the calendar', path: `.${name}` } as const]
  })
  const isCursor = cursor === undefined || !isSound('.cursor') || placeOfCursor(cursor) !== undefined
  const reason = 'is no cursor of this list; send nextCursor as it came'
  return [...times, ...(isCursor ? [] : [{ code: 'InvalidRequest', reason, path: '.cursor' } as const])]
}

/** The status, read at the bank first when its next read is due. */
export async function showPaymentStatus(context: Context, caller: PartnerCaller, id: string): Promise<StatusShown> {
  return shownStatus(await requireFresh(context, caller, id))
}

/** What was asked, what became of it, and how it came about. */
export async function showPayment(context: Context, caller: PartnerCaller, id: string): Promise<PaymentDetail> {
  const payment = await requireFresh(context, caller, id)
  const history = await listHistory(context.database, payment)
  return { ...listedOf(payment), statusHistory: history.map(shownStatus) }
}

/** A page of the partner's payments, oldest first; those that changed since a time by their last change. */
export async function listPayments(context: Context, caller: PartnerCaller, query: ListQuery): Promise<PaymentPage> {
  const limit = query.limit ?? PAYMENTS_PER_PAGE.default
  const filter = filterOf(query)
  const payments = await listPaymentsOf(context.database, caller.partnerId, filter, limit + 1)
  const page = payments.slice(0, limit)
  const last = payments.length > limit ? page.at(-1) : undefined
  return { payments: page.map(listedOf), nextCursor: last === undefined ? null : cursorOf(placeIn(filter, last)) }
}

/** The payment, read at the bank first when that is due; of many who ask at once, one reads. */
async function requireFresh(context: Context, { partnerId }: PartnerCaller, id: string): Promise<Payment> {
  const payment = await findPayment(context.database, { partnerId, id: id.toLowerCase() })
  if (payment === undefined) {
    throw refuse('not-found', 'There is no payment with this id')
  }
  const { clock, database } = context
  const [now, real] = [clock.now(), clock.real()]
  const isDue = payment.pollAt !== null && Temporal.Instant.compare(payment.pollAt, now) <= 0
  const mayRead =
    isDue && !isFinal(payment) && (await claimRead(database, payment, { now, real, leaseUntil: real.add(READ_LEASE) }))
  return mayRead ? await followPayment(context, payment) : payment
}

function listedOf(payment: Payment): PaymentListed {
  const { ordered } = payment
  const { organizationNumber, ...from } = ordered.from
  return {
    ...ordered,
    from: { ...from, ...(organizationNumber === undefined ? {} : { organizationNumber: String(organizationNumber) }) },
    paymentId: payment.id,
    type: payment.type,
    amount: printMoney(payment.amount),
    paymentStatus: shownStatus(payment),
    finalStatus: isFinal(payment),
    outcomeUnknown: isOutcomeUnknown(payment),
    createdAt: payment.createdAt.toString(),
    updatedAt: payment.changedAt.toString(),
  }
}

/** Days mean days of ordering. */
function filterOf(query: ListQuery): PaymentFilter {
  const { endToEndId, status, fromDate, toDate, updatedSince, organizationNumber, cursor } = query
  return {
    ...(endToEndId === undefined ? {} : { endToEndId }),
    ...(status === undefined ? {} : { status }),
    ...(fromDate === undefined ? {} : { createdFrom: startOfSound(fromDate) }),
    ...(toDate === undefined ? {} : { createdBefore: startOfSound(toDate).add({ hours: 24 }) }),
    ...(updatedSince === undefined ? {} : { updatedSince: startOfSound(updatedSince) }),
    ...(organizationNumber === undefined ? {} : { organisationNumber: String(organizationNumber) }),
    ...(cursor === undefined ? {} : { after: placeOfSound(cursor) }),
  }
}

function startOfSound(text: string): Temporal.Instant {
  const start = readAskedTime(text, DAYS_OF)
  if (start === undefined) {
    throw new Error('A time got past the rules')
  }
  return start
}

function placeOfSound(cursor: string): PaymentPlace {
  const place = placeOfCursor(cursor)
  if (place === undefined) {
    throw new Error('A cursor got past the rules')
  }
  return place
}

function cursorOf({ at, id }: PaymentPlace): string {
  return Buffer.from(`${at} ${id}`).toString('base64url')
}

function placeOfCursor(cursor: string): PaymentPlace | undefined {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const at = time.includes('T') ? readAskedTime(time, DAYS_OF) : undefined
  return at === undefined || !isId(id) ? undefined : { at, id }
}
