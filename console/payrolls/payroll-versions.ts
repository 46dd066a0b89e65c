/** Reads whether something has happened to payrolls that open pages show: statuses, submission, approvals, cancellations. */
import { sql } from 'kysely'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import type { VersionReader } from '../live/live-versions.ts'

/** An approval of a payroll has all orders that can be signed: some of them show whether there is one. */
const ORDERS_READ = 20

/** A subject is the id of a partner and that of a payroll. */
export function payrollVersions(database: Queryable): VersionReader {
  return async (subjects) => {
    const keys = subjects.map((subject) => subject.split(' '))
    const { rows } = await sql<{ subject: string; version: string }>`
      select k.partner_id || ' ' || k.payroll_id as subject, concat_ws(' ', p.status, p.changed_at, p.state, p.state_text,
        p.submit_at, p.submission_needs_user, p.blocked_by_payroll_id,
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
      from unnest(${keys.map(([partnerId]) => partnerId)}::uuid[], ${keys.map(([, id]) => id)}::uuid[])
          as k (partner_id, payroll_id)
        join payrolls p on p.partner_id = k.partner_id and p.id = k.payroll_id`.execute(database.query)
    return new Map(rows.map(({ subject, version }) => [subject, version]))
  }
}
