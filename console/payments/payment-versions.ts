/** Reads whether something has happened to payments that open pages show: their status, approvals and deliveries. */
import { sql } from 'kysely'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import type { VersionReader } from '../live/live-versions.ts'
import { deliveriesOfPayment } from './payment-timeline-store.ts'

/** A subject is the id of a partner and that of a payment. */
export function paymentVersions(database: Queryable): VersionReader {
  return async (subjects) => {
    const keys = subjects.map((subject) => subject.split(' '))
    const { rows } = await sql<{ subject: string; version: string }>`
      select k.partner_id || ' ' || k.payment_id as subject, concat_ws(' ', p.status_at, p.changed_at, p.outcome,
        (select count(*) || ' ' || max(a.updated_at)
          from approval_payments x join approvals a on a.partner_id = x.partner_id and a.id = x.approval_id
          where x.partner_id = p.partner_id and x.payment_id = p.id),
        (select string_agg(d.status || d.attempts_made, ' ' order by d.id)
          from ${deliveriesOfPayment(sql`p.partner_id`, sql`p.id`)} d)) as version
      from unnest(${keys.map(([partnerId]) => partnerId)}::uuid[], ${keys.map(([, id]) => id)}::uuid[]) as k (partner_id, payment_id)
        join payments p on p.partner_id = k.partner_id and p.id = k.payment_id`.execute(database.query)
    return new Map(rows.map(({ subject, version }) => [subject, version]))
  }
}
