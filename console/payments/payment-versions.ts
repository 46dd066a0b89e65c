/** Reads whether something has happened to payments that open pages show: whatever their story is made of. */
import { type RawBuilder, sql } from 'kysely'
import { executePrepared } from '../../gateway/platform/database/execute-prepared.ts'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import type { VersionReader } from '../live/live-versions.ts'
import { deliveriesOfSubject } from './payment-timeline-store.ts'

/** A subject is the id of a partner and that of a payment. */
export function paymentVersions(database: Queryable): VersionReader {
  return async (subjects) => {
    const { rows } = await executePrepared(database, paymentVersionsQuery(subjects))
    return new Map(rows.map(({ subject, version }) => [subject, version]))
  }
}

/** One query for all open pages, whose parts read by an index each. Exported for the test of its plan. */
export function paymentVersionsQuery(
  subjects: readonly string[],
): RawBuilder<{ readonly subject: string; readonly version: string }> {
  const keys = subjects.map((subject) => subject.split(' '))
  return sql<{ subject: string; version: string }>`
    select k.partner_id || ' ' || k.payment_id as subject, concat_ws(' ', p.status_at, p.changed_at, p.outcome, p.exchange,
      (select c.id from bank_calls c
        where c.partner_id = p.partner_id and c.payment_id = p.id order by c.id desc limit 1),
      (select string_agg(a.status || x.result || a.updated_at, ' ' order by a.id)
        from approval_payments x join approvals a on a.partner_id = x.partner_id and a.id = x.approval_id
        where x.partner_id = p.partner_id and x.payment_id = p.id),
      (select string_agg(t.state || coalesce(t.sca_status, ''), ' ' order by t.sca_session_id, t.position)
        from sca_steps t where t.partner_id = p.partner_id and t.target_id = p.id),
      (select string_agg(n.status, ' ' order by n.id)
        from cancellations n where n.partner_id = p.partner_id and n.payment_id = p.id),
      (select string_agg(d.version::text, ' ' order by d.id)
        from fx_deals d where d.partner_id = p.partner_id and d.payment_id = p.id),
      (select string_agg(o.status, ' ' order by o.id)
        from operator_tasks o where o.partner_id = p.partner_id and o.subject_id = p.id),
      (select string_agg(d.status || d.attempts_made, ' ' order by d.id)
        from ${deliveriesOfSubject(sql`p.partner_id`, sql`p.id`)} d)) as version
    from unnest(${keys.map(([partnerId]) => partnerId)}::uuid[], ${keys.map(([, id]) => id)}::uuid[]) as k (partner_id, payment_id)
      join payments p on p.partner_id = k.partner_id and p.id = k.payment_id`
}
