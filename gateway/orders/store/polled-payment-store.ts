/** Holds the queries on payments that are polled: due ones, those under a consent, their number, and those that are no longer. */
import { sql } from 'kysely'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { Context } from '../../context.ts'
import type { Database } from '../../platform/database/database.ts'
import { timestamp } from '../../platform/database/sql-fragments.ts'
import { isUnleased } from '../../platform/jobs/lease.ts'
import type { Payment } from '../payment.ts'
import { type PaymentKey, paymentOf, selectPayments } from './payment-store.ts'

/** A page of the due payments of a bank. */
type DuePage = {
  readonly bic: string
  readonly now: Temporal.Instant
  /** Wall time. */
  readonly real: Temporal.Instant
  readonly after: Pick<Payment, 'id' | 'pollAt'> | null
  readonly limit: number
}

/** Returns payments that are due and not leased and whose last poll succeeded, in the order of their due times. */
export async function listDuePayments(database: Database<unknown>, page: DuePage): Promise<readonly Payment[]> {
  const { bic, now, real, after, limit } = page
  const rows = await selectPayments(database)
    .where('bic', '=', bic)
    .where(sql<boolean>`poll_at <= ${now.toString()}::timestamptz`)
    .where(isUnleased(real))
    .where('type', '<>', 'Payroll')
    .where('outcome', '=', 'known')
    .where('exchange', 'is', null)
    .where(sql<boolean>`(bank_notified_at is null or bank_notified_at <= ${real.toString()}::timestamptz)`)
    .where('unread_since', 'is', null)
    .where('expired_at', 'is', null)
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(poll_at, id) > (${after?.pollAt?.toString() ?? ''}::timestamptz, ${after?.id ?? ''}::uuid)`,
      ),
    )
    .orderBy('poll_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(paymentOf)
}

/** A poll without a change and the time of the next one. */
export type UnchangedRead = { readonly payment: Payment; readonly nextPollAt: Temporal.Instant | null }

/** Records the polls of all payments that have not changed since they were listed. */
export async function writeUnchangedReads(
  { query }: Database<unknown>,
  reads: readonly UnchangedRead[],
  { now, real }: { readonly now: Temporal.Instant; readonly real: Temporal.Instant },
): Promise<void> {
  const payments = reads.map(({ payment }) => payment)
  await sql`
    update payments p set poll_at = r.next_poll_at, poll_step = p.poll_step + 1, status_at = ${now.toString()}::timestamptz
    from unnest(${payments.map(({ partnerId }) => partnerId)}::uuid[], ${payments.map(({ id }) => id)}::uuid[],
      ${payments.map(({ pollAt }) => pollAt?.toString() ?? null)}::timestamptz[],
      ${payments.map(({ statusAt }) => statusAt.toString())}::timestamptz[],
      ${payments.map(({ bankNotifiedAt }) => bankNotifiedAt?.toString() ?? null)}::timestamptz[],
      ${payments.map(({ signed }) => signed)}::boolean[],
      ${reads.map(({ nextPollAt }) => nextPollAt?.toString() ?? null)}::timestamptz[])
      as r(partner_id, id, poll_at, status_at, bank_notified_at, signed, next_poll_at)
    where p.partner_id = r.partner_id and p.id = r.id and p.poll_at = r.poll_at and p.status_at = r.status_at
      and p.bank_notified_at is not distinct from r.bank_notified_at and p.signed = r.signed
      and ${isUnleased(real, 'p.lease_until')}`.execute(query)
}

/** Whether any payment under a consent is still polled; uses the index of polled payments by bank. */
export async function hasPolledPayments(
  { database }: Pick<Context, 'database'>,
  { partnerId, id, bic }: { readonly partnerId: string; readonly id: string; readonly bic: string },
): Promise<boolean> {
  const { rows } = await sql`
    select id from payments where bic = ${bic} and poll_at is not null and partner_id = ${partnerId} and consent_id = ${id}
    limit 1`.execute(database.query)
  return rows.length > 0
}

/** Which of these are orders that have been final since before then, and that no job or cancellation needs their bank for. */
export async function listOrdersFinalBefore(
  { query }: Database<unknown>,
  keys: readonly PaymentKey[],
  before: Temporal.Instant,
): Promise<readonly PaymentKey[]> {
  const { rows } = await sql<PaymentKey>`
    select p.partner_id as "partnerId", p.id
    from unnest(${keys.map(({ partnerId }) => partnerId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]) as k (partner_id, id)
      join payments p on p.partner_id = k.partner_id and p.id = k.id
    where p.final_since < ${timestamp(before)} and p.poll_at is null and p.recover_at is null and p.decide_at is null
      and not exists (select from cancellations c where c.partner_id = p.partner_id and c.payment_id = p.id
        and c.status in ('REQUESTED', 'AUTHORIZATION_REQUIRED'))
      and not exists (select from expired_orders e where e.partner_id = p.partner_id and e.payment_id = p.id
        and e.poll_at is not null)`.execute(query)
  return rows
}

/** The number of open payments of a status by time since their last change. */
type OpenCount = { readonly status: PaymentStatusValue; readonly age: string; readonly count: bigint }

/** Counts through the index of payments that are polled. */
export async function countOpenPayments(
  database: Database<unknown>,
  now: Temporal.Instant,
): Promise<readonly OpenCount[]> {
  const at = sql`${now.toString()}::timestamptz`
  const { rows } = await sql<OpenCount>`
    select status, age, count(*) as count from (
      select status, case when changed_at > ${at} - interval '1 hour' then 'hour'
        when changed_at > ${at} - interval '1 day' then 'day'
        when changed_at > ${at} - interval '7 days' then 'week' else 'older' end as age
      from payments where poll_at is not null and final_since is null) open
    group by status, age`.execute(database.query)
  return rows
}
