/** Reads what happened to a payment or to the orders of a payroll: statuses, expiries, approvals and cancellations. */
import { type RawBuilder, sql } from 'kysely'
import { findMaskedUsers } from '../../consents/consent-rows.ts'
import { listTasksOfSubjects, type TaskOfSubject } from '../../operators/tasks-of-subject.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { Payment } from '../payment.ts'
import type { PayrollKey } from '../payroll-order.ts'
import type { Approval, ApprovedPayment } from '../sign/approval.ts'

type PaymentKey = Pick<Payment, 'partnerId' | 'id'>

/** One change of the status, with the bank's own words; of a payroll, its text is redacted. */
export type StatusChange = Pick<Payment, 'status' | 'statusReason' | 'statusReasonText' | 'bankStatus'> & {
  readonly at: Temporal.Instant
}

type UserOfConsent = {
  /** The masked id of the user of its consent at the bank; null where the bank does not report one. */
  readonly userIdMasked: string | null
}

type StoredApproval = Pick<Approval, 'id' | 'consentId' | 'createdAt' | 'status'> & {
  readonly updatedAt: Temporal.Instant
}

/** An approval that included the payment; `status` is its own, `result` that of the payment. */
export type ApprovalOfPayment = StoredApproval & Pick<ApprovedPayment, 'result' | 'basketId'> & UserOfConsent

/** An approval that included orders of a payroll: all of the approval, which may be of several payrolls. */
export type ApprovalOfPayroll = StoredApproval & UserOfConsent & { readonly orders: number; readonly signed: number }

export type CancellationOfPayment = UserOfConsent & {
  readonly id: string
  readonly consentId: string
  readonly ipAddress: string | null
  readonly userAgent: string | null
  readonly createdAt: Temporal.Instant
  readonly updatedAt: Temporal.Instant
  readonly status: string
  readonly reason: string | null
}

/** An order that expired at the bank and was submitted again under a new id. */
export type ExpiredOrder = { readonly expiredAt: Temporal.Instant; readonly bankPaymentId: string }

export async function listStatusChanges(database: Queryable, payment: PaymentKey): Promise<readonly StatusChange[]> {
  return await changesOf(database, sql`select ${payment.partnerId}::uuid as partner_id, ${payment.id}::uuid as id`)
}

/** The history of a payroll that is one order. */
export async function listStatusChangesOfPayroll(
  database: Queryable,
  payroll: PayrollKey,
): Promise<readonly StatusChange[]> {
  return await changesOf(database, ordersOf(payroll))
}

async function changesOf({ query }: Queryable, orders: RawBuilder<unknown>): Promise<readonly StatusChange[]> {
  const { rows } = await sql<StatusChange>`
    select h.at, h.status, h.status_reason as "statusReason", h.status_reason_text as "statusReasonText",
      h.bank_status as "bankStatus"
    from (${orders}) p join payment_history h on h.partner_id = p.partner_id and h.payment_id = p.id
    order by h.id`.execute(query)
  return rows
}

export async function listExpiredOrders({ query }: Queryable, payment: PaymentKey): Promise<readonly ExpiredOrder[]> {
  const { rows } = await sql<ExpiredOrder>`
    select expired_at as "expiredAt", bank_payment_id as "bankPaymentId"
    from expired_orders where partner_id = ${payment.partnerId} and payment_id = ${payment.id}`.execute(query)
  return rows
}

const APPROVAL = sql`a.id, a.consent_id as "consentId", a.created_at as "createdAt", a.updated_at as "updatedAt", a.status`

export async function listApprovalsOfPayment(
  database: Queryable,
  payment: PaymentKey,
): Promise<readonly ApprovalOfPayment[]> {
  const { rows } = await sql<Omit<ApprovalOfPayment, 'userIdMasked'>>`
    select ${APPROVAL}, p.result, p.basket_id as "basketId"
    from approval_payments p join approvals a on a.partner_id = p.partner_id and a.id = p.approval_id
    where p.partner_id = ${payment.partnerId} and p.payment_id = ${payment.id}`.execute(database.query)
  return await withUsers(database, payment.partnerId, rows)
}

/** An approval has all orders of a payroll that can be signed: the first ones show which there are. */
const ORDERS_SEARCHED = 500
/** Users rarely try as often. A limit makes each order one look-up, whatever the statistics of the tables. */
const APPROVALS_PER_ORDER_MAX = 100

export async function listApprovalsOfPayroll(
  database: Queryable,
  payroll: PayrollKey,
): Promise<readonly ApprovalOfPayroll[]> {
  const { rows } = await sql<Omit<ApprovalOfPayroll, 'userIdMasked'>>`
    with found as (
      select distinct s.approval_id
      from (${ordersOf(payroll)} limit ${ORDERS_SEARCHED}) p
        cross join lateral (
          select approval_id from approval_payments
          where partner_id = p.partner_id and payment_id = p.id limit ${APPROVALS_PER_ORDER_MAX}) s)
    select ${APPROVAL}, x.orders, x.signed
    from found
      join approvals a on a.partner_id = ${payroll.partnerId} and a.id = found.approval_id
      cross join lateral (
        select count(*)::int as orders, (count(*) filter (where result = 'ACCEPTED'))::int as signed
        from approval_payments where partner_id = a.partner_id and approval_id = a.id) x`.execute(database.query)
  return await withUsers(database, payroll.partnerId, rows)
}

export async function listCancellationsOfPayment(
  database: Queryable,
  payment: PaymentKey,
): Promise<readonly CancellationOfPayment[]> {
  const { rows } = await sql<Omit<CancellationOfPayment, 'userIdMasked'>>`
    select id, consent_id as "consentId", created_at as "createdAt", updated_at as "updatedAt", status, reason,
      ip_address as "ipAddress", user_agent as "userAgent"
    from cancellations where partner_id = ${payment.partnerId} and payment_id = ${payment.id}`.execute(database.query)
  return await withUsers(database, payment.partnerId, rows)
}

export async function listCancellationIdsOfPayroll(
  { query }: Queryable,
  { partnerId, payrollId }: PayrollKey,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from payroll_cancellations where partner_id = ${partnerId} and payroll_id = ${payrollId}
    order by id`.execute(query)
  return rows.map(({ id }) => id)
}

/** The tasks of a payroll and of its orders. */
export async function listTasksOfPayroll(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
): Promise<readonly TaskOfSubject[]> {
  const ids = sql`select ${payrollId}::uuid as id
    union all select id from payments where partner_id = ${partnerId} and payroll_id = ${payrollId}`
  return await listTasksOfSubjects(database, partnerId, ids)
}

const ordersOf = ({ partnerId, payrollId }: PayrollKey): RawBuilder<unknown> =>
  sql`select partner_id, id from payments where partner_id = ${partnerId} and payroll_id = ${payrollId}`

async function withUsers<Row extends { readonly consentId: string }>(
  database: Queryable,
  partnerId: string,
  rows: readonly Row[],
): Promise<readonly (Row & UserOfConsent)[]> {
  const users =
    rows.length === 0
      ? undefined
      : await findMaskedUsers(
          database,
          partnerId,
          rows.map(({ consentId }) => consentId),
        )
  return rows.map((row) => ({ ...row, userIdMasked: users?.get(row.consentId) ?? null }))
}
