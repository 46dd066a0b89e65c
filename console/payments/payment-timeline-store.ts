/** Queries on what happened to a payment: statuses, approvals, cancellations, deliveries, operator tasks. */
import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'

/** A payment of a partner. */
export type PaymentKey = { readonly partnerId: string; readonly id: string }

/** One change of the status, with the bank's own words. */
export type StatusChange = {
  readonly at: Temporal.Instant
  readonly status: string
  readonly statusReason: string | null
  readonly statusReasonText: string | null
  readonly bankStatus: string | null
}

/** An approval that included the payment; `status` is its own, `result` that of the payment. */
export type ApprovalOfPayment = {
  readonly id: string
  readonly createdAt: Temporal.Instant
  readonly updatedAt: Temporal.Instant
  readonly status: string
  readonly result: string
  readonly userIdMasked: string | null
  /** The basket in which it was to be signed; null if it was to be signed alone. */
  readonly basketId: string | null
}

export type CancellationOfPayment = {
  readonly id: string
  readonly userIdMasked: string | null
  readonly ipAddress: string | null
  readonly userAgent: string | null
  readonly createdAt: Temporal.Instant
  readonly updatedAt: Temporal.Instant
  readonly status: string
  readonly reason: string | null
}

/** An order that expired at the bank and was submitted again under a new id. */
export type ExpiredOrder = { readonly expiredAt: Temporal.Instant; readonly bankPaymentId: string }

/** A delivery of an event of a payment or of another subject. */
export type DeliveryOfSubject = {
  readonly id: string
  readonly eventId: string
  readonly subscriptionId: string
  readonly createdAt: Temporal.Instant
  readonly eventType: string
  readonly status: string
  readonly attemptsMade: number
  readonly targetUrl: string
}

export type TaskOfPayment = {
  readonly id: string
  readonly kind: string
  readonly createdAt: Temporal.Instant
  readonly advice: string
  readonly status: string
}

export async function listStatusChanges(database: Queryable, payment: PaymentKey): Promise<readonly StatusChange[]> {
  const { rows } = await sql<StatusChange>`
    select at, status, status_reason as "statusReason", status_reason_text as "statusReasonText",
      bank_status as "bankStatus"
    from payment_history where partner_id = ${payment.partnerId} and payment_id = ${payment.id} order by id`.execute(
    database.query,
  )
  return rows
}

export async function listApprovals(database: Queryable, payment: PaymentKey): Promise<readonly ApprovalOfPayment[]> {
  const { rows } = await sql<ApprovalOfPayment>`
    select a.id, a.created_at as "createdAt", a.updated_at as "updatedAt", a.status, p.result,
      c.user_id_masked as "userIdMasked", p.basket_id as "basketId"
    from approval_payments p join approvals a on a.partner_id = p.partner_id and a.id = p.approval_id
      left join consents c on c.partner_id = a.partner_id and c.id = a.consent_id
    where p.partner_id = ${payment.partnerId} and p.payment_id = ${payment.id}`.execute(database.query)
  return rows
}

export async function listCancellations(
  database: Queryable,
  payment: PaymentKey,
): Promise<readonly CancellationOfPayment[]> {
  const { rows } = await sql<CancellationOfPayment>`
    select n.id, n.created_at as "createdAt", n.updated_at as "updatedAt", n.status, n.reason,
      n.ip_address as "ipAddress", n.user_agent as "userAgent", c.user_id_masked as "userIdMasked"
    from cancellations n left join consents c on c.partner_id = n.partner_id and c.id = n.consent_id
    where n.partner_id = ${payment.partnerId} and n.payment_id = ${payment.id}`.execute(database.query)
  return rows
}

export async function listExpiredOrders(database: Queryable, payment: PaymentKey): Promise<readonly ExpiredOrder[]> {
  const { rows } = await sql<ExpiredOrder>`
    select expired_at as "expiredAt", bank_payment_id as "bankPaymentId"
    from expired_orders where partner_id = ${payment.partnerId} and payment_id = ${payment.id}`.execute(database.query)
  return rows
}

/** The masked id of the user of a consent; undefined where the bank does not report one. */
export async function findUserOfConsent(
  database: Queryable,
  { partnerId, consentId }: { readonly partnerId: string; readonly consentId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ userIdMasked: string | null }>`
    select user_id_masked as "userIdMasked" from consents where partner_id = ${partnerId} and id = ${consentId}`.execute(
    database.query,
  )
  return rows[0]?.userIdMasked ?? undefined
}

/** The deals of the payment's exchange. */
export async function listDealIds(database: Queryable, payment: PaymentKey): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from fx_deals where partner_id = ${payment.partnerId} and payment_id = ${payment.id} order by id`.execute(
    database.query,
  )
  return rows.map(({ id }) => id)
}

const DELIVERY = sql`
  d.partner_id, d.subscription_id, d.id, d.event_id, d.created_at, d.event_type, d.status, d.attempts_made, d.endpoint_version`

/**
 * The deliveries of the events of a payment or of another subject, in parentheses; with an event, only those of that one.
 * The id of a first delivery begins with the 64 bits of its event's stamp, so that it is found by the primary key;
 * repeated ones have an index. `offset 0` keeps the planner from looking for it in all subscriptions of the partner.
 */
export function deliveriesOfSubject(
  partnerId: RawBuilder<unknown>,
  subjectId: RawBuilder<unknown>,
  eventId?: string,
): RawBuilder<unknown> {
  const isOfEvent = (id: RawBuilder<unknown>) => (eventId === undefined ? sql`` : sql`and ${id} = ${eventId}::uuid`)
  return sql`(
    select ${DELIVERY}
    from events e join webhook_subscriptions s on s.partner_id = e.partner_id cross join lateral (
      select ${DELIVERY} from webhook_deliveries d
      where partner_id = s.partner_id and subscription_id = s.id and event_id = e.id and not retried_manually
        and id >= (left(coalesce(e.stamp, e.id)::text, 18) || '-0000-000000000000')::uuid
        and id <= (left(coalesce(e.stamp, e.id)::text, 18) || '-ffff-ffffffffffff')::uuid
      offset 0) d
    where e.partner_id = ${partnerId} and e.subject_id = ${subjectId} ${isOfEvent(sql`e.id`)}
    union all
    select ${DELIVERY} from webhook_deliveries d
    where d.partner_id = ${partnerId} and d.subject_id = ${subjectId} and d.retried_manually
      ${isOfEvent(sql`d.event_id`)})`
}

/** Of a payment or another subject; with an event, only those of that one. */
export async function listDeliveries(
  database: Queryable,
  { partnerId, id }: PaymentKey,
  eventId?: string,
): Promise<readonly DeliveryOfSubject[]> {
  const { rows } = await sql<DeliveryOfSubject>`
    select d.id, d.event_id as "eventId", d.subscription_id as "subscriptionId", d.created_at as "createdAt", d.event_type as "eventType", d.status,
      d.attempts_made as "attemptsMade", p.target_url as "targetUrl"
    from ${deliveriesOfSubject(sql`${partnerId}::uuid`, sql`${id}::uuid`, eventId)} d
      join webhook_endpoints p
        on p.partner_id = d.partner_id and p.subscription_id = d.subscription_id and p.version = d.endpoint_version
    order by d.id`.execute(database.query)
  return rows
}

export async function listTasks(database: Queryable, payment: PaymentKey): Promise<readonly TaskOfPayment[]> {
  const { rows } = await sql<TaskOfPayment>`
    select id, kind, created_at as "createdAt", advice, status
    from operator_tasks where partner_id = ${payment.partnerId} and subject_id = ${payment.id}`.execute(database.query)
  return rows
}
