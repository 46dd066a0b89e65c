/** Reads whether something has happened to payments and payrolls that open pages show: whatever their story is made of. */
import { type RawBuilder, sql } from 'kysely'
import { SCA_STEPS_VERSION } from '../../authorisations/sca-step-fragments.ts'
import { BANK_CALLS_VERSION } from '../../banks/bank-rows.ts'
import { DEALS_VERSION } from '../../fx/deals/deal-rows.ts'
import { TASKS_VERSION } from '../../operators/tasks-of-subject.ts'
import { executePrepared, type Queryable } from '../../platform/database/in-transaction.ts'
import { DELIVERIES_VERSION } from '../../webhooks/webhook-rows.ts'

/** Texts that differ whenever something has happened, by subject: the id of a partner and that of a payment or payroll. */
type Versions = ReadonlyMap<string, string>
type Version = { readonly subject: string; readonly version: string }

export async function readPaymentVersions(database: Queryable, subjects: readonly string[]): Promise<Versions> {
  return versionsIn((await executePrepared(database, paymentVersionsQuery(subjects))).rows)
}

export async function readPayrollVersions({ query }: Queryable, subjects: readonly string[]): Promise<Versions> {
  return versionsIn((await payrollVersionsQuery(subjects).execute(query)).rows)
}

const versionsIn = (rows: readonly Version[]) => new Map(rows.map(({ subject, version }) => [subject, version]))

/** One query for all open pages, whose parts read by an index each. Exported for the test of its plan. */
export function paymentVersionsQuery(subjects: readonly string[]): RawBuilder<Version> {
  return sql`
    select k.subject, concat_ws(' ', p.status_at, p.changed_at, p.outcome, p.exchange, ${BANK_CALLS_VERSION},
      (select string_agg(a.status || x.result || a.updated_at, ' ' order by a.id)
        from approval_payments x join approvals a on a.partner_id = x.partner_id and a.id = x.approval_id
        where x.partner_id = p.partner_id and x.payment_id = p.id),
      ${SCA_STEPS_VERSION},
      (select string_agg(n.status, ' ' order by n.id)
        from cancellations n where n.partner_id = p.partner_id and n.payment_id = p.id),
      ${DEALS_VERSION}, ${TASKS_VERSION}, ${DELIVERIES_VERSION}) as version
    from ${keysOf(subjects)} join payments p on p.partner_id = k.partner_id and p.id = k.id`
}

/** An approval of a payroll has all orders that can be signed: some of them show whether there is one. */
const ORDERS_READ = 20

function payrollVersionsQuery(subjects: readonly string[]): RawBuilder<Version> {
  return sql`
    select k.subject, concat_ws(' ', p.status, p.changed_at, p.state, p.state_text, p.submit_at,
      p.submission_needs_user, p.blocked_by_payroll_id,
      case when p.state = 'submitting' then (select count(*) from payments o
        where o.partner_id = p.partner_id and o.payroll_id = p.id) end,
      (select concat_ws(' ', count(*), max(a.updated_at))
        from (select partner_id, id from payments where partner_id = p.partner_id and payroll_id = p.id
            limit ${ORDERS_READ}) o
          join approval_payments x on x.partner_id = o.partner_id and x.payment_id = o.id
          join approvals a on a.partner_id = x.partner_id and a.id = x.approval_id),
      (select concat_ws(' ', count(*), max(c.updated_at))
        from payroll_cancellations w
          left join cancellations c on c.partner_id = w.partner_id and c.payroll_cancellation_id = w.id
        where w.partner_id = p.partner_id and w.payroll_id = p.id)) as version
    from ${keysOf(subjects)} join payrolls p on p.partner_id = k.partner_id and p.id = k.id`
}

/** The subjects as rows `k`. */
function keysOf(subjects: readonly string[]): RawBuilder<unknown> {
  const keys = subjects.map((subject) => subject.split(' '))
  return sql`unnest(${[...subjects]}::text[], ${keys.map(([partnerId]) => partnerId)}::uuid[],
    ${keys.map(([, id]) => id)}::uuid[]) as k (subject, partner_id, id)`
}
