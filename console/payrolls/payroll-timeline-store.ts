/** Queries on what happened to a payroll: statuses of its order, approvals, cancellations, operator tasks. */
import { type RawBuilder, sql } from 'kysely'
import type { ApprovalStatus } from '../../contract/approvals.ts'
import type { PayrollKey } from '../../gateway/orders/payroll-order.ts'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'

/** One change of the status of an order, with the bank's code and its text, redacted. */
export type OrderStatusChange = {
  readonly at: Temporal.Instant
  readonly status: string
  readonly statusReason: string | null
  readonly statusReasonText: string | null
  readonly bankStatus: string | null
}

/** An approval that included orders of the payroll. */
export type ApprovalOfPayroll = {
  readonly id: string
  readonly createdAt: Temporal.Instant
  readonly updatedAt: Temporal.Instant
  readonly status: ApprovalStatus
  /** The masked id of the user of its consent at the bank; null where the bank does not report one. */
  readonly userIdMasked: string | null
  /** All of the approval, which may be of several payrolls, and how many of them were signed. */
  readonly orders: number
  readonly signed: number
}

export type TaskOfPayroll = {
  readonly id: string
  readonly kind: string
  readonly createdAt: Temporal.Instant
  readonly advice: string
  readonly status: string
}

/** Where each transaction is an order, many may have the same task: the oldest are enough. */
const TASKS_MAX = 20

/** An approval has all orders of a payroll that can be signed: the first ones show which there are. */
const ORDERS_SEARCHED = 500
/** Users rarely try as often. A limit makes each order one look-up, whatever the statistics of the tables. */
const APPROVALS_PER_ORDER_MAX = 100

const ordersOf = ({ partnerId, payrollId }: PayrollKey): RawBuilder<unknown> =>
  sql`partner_id = ${partnerId} and payroll_id = ${payrollId}`

/** The history of a payroll that is one order. */
export async function listOrderStatusChanges(
  database: Queryable,
  payroll: PayrollKey,
): Promise<readonly OrderStatusChange[]> {
  const { rows } = await sql<OrderStatusChange>`
    select h.at, h.status, h.status_reason as "statusReason", h.status_reason_text as "statusReasonText",
      h.bank_status as "bankStatus"
    from (select partner_id, id from payments where ${ordersOf(payroll)}) p
      join payment_history h on h.partner_id = p.partner_id and h.payment_id = p.id
    order by h.id`.execute(database.query)
  return rows
}

export async function listApprovalsOfPayroll(
  database: Queryable,
  payroll: PayrollKey,
): Promise<readonly ApprovalOfPayroll[]> {
  const { rows } = await sql<ApprovalOfPayroll>`
    with found as (
      select distinct s.approval_id
      from (select partner_id, id from payments where ${ordersOf(payroll)} limit ${ORDERS_SEARCHED}) p
        cross join lateral (
          select approval_id from approval_payments
          where partner_id = p.partner_id and payment_id = p.id limit ${APPROVALS_PER_ORDER_MAX}) s)
    select a.id, a.created_at as "createdAt", a.updated_at as "updatedAt", a.status, c.user_id_masked as "userIdMasked",
      x.orders, x.signed
    from found
      join approvals a on a.partner_id = ${payroll.partnerId} and a.id = found.approval_id
      left join consents c on c.partner_id = a.partner_id and c.id = a.consent_id
      cross join lateral (
        select count(*)::int as orders, (count(*) filter (where result = 'ACCEPTED'))::int as signed
        from approval_payments where partner_id = a.partner_id and approval_id = a.id) x`.execute(database.query)
  return rows
}

export async function listCancellationIdsOfPayroll(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from payroll_cancellations where partner_id = ${partnerId} and payroll_id = ${payrollId}
    order by id`.execute(database.query)
  return rows.map(({ id }) => id)
}

/** Of the payroll and of its orders. */
export async function listTasksOfPayroll(database: Queryable, payroll: PayrollKey): Promise<readonly TaskOfPayroll[]> {
  const { rows } = await sql<TaskOfPayroll>`
    select k.id, k.kind, k.created_at as "createdAt", k.advice, k.status
    from (select ${payroll.payrollId}::uuid as id union all select id from payments where ${ordersOf(payroll)}) p
      cross join lateral (
        select * from operator_tasks
        where partner_id = ${payroll.partnerId} and subject_id = p.id limit ${TASKS_MAX}) k
    order by k.created_at, k.id limit ${TASKS_MAX}`.execute(database.query)
  return rows
}
