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
}

export type CancellationOfPayment = {
  readonly createdAt: Temporal.Instant
  readonly updatedAt: Temporal.Instant
  readonly status: string
  readonly reason: string | null
}

/** A delivery of an event of the payment. */
export type DeliveryOfPayment = {
  readonly id: string
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
    select a.id, a.created_at as "createdAt", a.updated_at as "updatedAt", a.status, p.result
    from approval_payments p join approvals a on a.partner_id = p.partner_id and a.id = p.approval_id
    where p.partner_id = ${payment.partnerId} and p.payment_id = ${payment.id}`.execute(database.query)
  return rows
}

export async function listCancellations(
  database: Queryable,
  payment: PaymentKey,
): Promise<readonly CancellationOfPayment[]> {
  const { rows } = await sql<CancellationOfPayment>`
    select created_at as "createdAt", updated_at as "updatedAt", status, reason
    from cancellations where partner_id = ${payment.partnerId} and payment_id = ${payment.id}`.execute(database.query)
  return rows
}

const DELIVERY = sql`
  d.partner_id, d.subscription_id, d.id, d.created_at, d.event_type, d.status, d.attempts_made, d.endpoint_version`

/**
 * The deliveries of a payment's events, in parentheses. The id of a first delivery begins with the 64 bits of its
 * event's, so that it is found by the primary key; repeated ones have an index.
 */
export function deliveriesOfPayment(
  partnerId: RawBuilder<unknown>,
  paymentId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    select ${DELIVERY}
    from events e join webhook_subscriptions s on s.partner_id = e.partner_id cross join lateral (
      select * from webhook_deliveries
      where partner_id = s.partner_id and subscription_id = s.id and event_id = e.id and not retried_manually
        and id >= (left(e.id::text, 18) || '-0000-000000000000')::uuid
        and id <= (left(e.id::text, 18) || '-ffff-ffffffffffff')::uuid) d
    where e.partner_id = ${partnerId} and e.payment_id = ${paymentId}
    union all
    select ${DELIVERY} from webhook_deliveries d
    where d.partner_id = ${partnerId} and d.subject_id = ${paymentId} and d.retried_manually)`
}

export async function listDeliveries(database: Queryable, payment: PaymentKey): Promise<readonly DeliveryOfPayment[]> {
  const { rows } = await sql<DeliveryOfPayment>`
    select d.id, d.subscription_id as "subscriptionId", d.created_at as "createdAt", d.event_type as "eventType", d.status,
      d.attempts_made as "attemptsMade", p.target_url as "targetUrl"
    from ${deliveriesOfPayment(sql`${payment.partnerId}::uuid`, sql`${payment.id}::uuid`)} d
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
