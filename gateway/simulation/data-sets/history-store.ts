/** Statements that store payments of the past with all that they left behind, as if they had been ordered. */
import { sql } from 'kysely'
import { invoice } from '../../../contract/examples/demo-fixture.ts'
import { paymentEventTypes } from '../../../contract/webhooks/event-types.ts'
import { EVENT_VERSION } from '../../../contract/webhooks/webhook-events.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { timestamp } from '../../platform/database/sql-fragments.ts'

/** Whose payments, by whose consent, and over which time. */
export type StoredHistory = {
  readonly partnerId: string
  readonly consentId: string
  readonly clientId: string
  readonly payments: number
  readonly days: number
  /** The morning of today; the last payment was ordered the day before. */
  readonly before: Temporal.Instant
  /** Events and logged requests are stored for this long. */
  readonly loggedSince: Temporal.Instant
}

export type BookedPayment = {
  readonly amount: string
  readonly counterparty: string
  readonly counterpartyAccount: string
  readonly endToEndId: string
  readonly bookedOn: string
}

/** Orders come between eight and five o'clock. */
const OPENING_SECONDS = 9 * 3_600
const CREDITORS = JSON.stringify([
  ['Granli Trelast AS', '80501200011'],
  ['Breidablikk Kraft AS', '80503000036'],
  ['Solvik kommune', '80503000028'],
])
/** In the bank's words. */
const REJECTED_TEXT = 'AC04 ClosedAccountNumber'
export const DEBTOR_BBAN = invoice.from.account.type === 'bban' ? invoice.from.account.bban : ''

/**
 * Generates the payments from one number to another into a temporary table of the transaction. Of a hundred, 94 are
 * completed, four rejected, two cancelled. Ids hold the time of creation, as the gateway's do; the rest of them, and
 * everything else, depends on the number only.
 */
export async function generatePayments(
  { query }: Queryable,
  { partnerId, payments, days, before }: StoredHistory,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<void> {
  await sql`
    create temporary table generated_payments on commit drop as
    select n, ('History ' || n) as end_to_end_id, created_at, settled_at, status, c.value->>0 as creditor,
      c.value->>1 as creditor_bban, (100 + n::bigint * 7919 % 40000) * 25 as amount_minor,
      (time_hex || '7' || substr(hash, 1, 3) || '8' || substr(hash, 4, 15))::uuid as id
    from generate_series(${first}::int, ${last}::int) n
      cross join lateral (select md5(${partnerId} || n) as hash) h
      cross join lateral (
        select ${timestamp(before)} - (1 + (${payments}::int - n)::bigint * ${days} / ${payments}::int)::int * interval '1 day' as day) d
      -- What would be ordered at a weekend was ordered on the Friday before it.
      cross join lateral (
        select day - greatest(0, extract(isodow from day)::int - 5) * interval '1 day'
          + (n::bigint * 104729 % ${OPENING_SECONDS}) * interval '1 second' as created_at) t
      cross join lateral (
        select lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0') as time_hex,
          created_at + interval '20 minutes' as settled_at,
          case when n % 100 in (7, 31, 55, 83) then 'Rejected' when n % 100 in (19, 67) then 'Cancelled'
            else 'Completed' end as status) s
      cross join lateral (select value from jsonb_array_elements(${CREDITORS}::jsonb)
        with ordinality as e(value, position) where position = 1 + n % 3) c`.execute(query)
}

/** The time of day is that of Oslo in winter, which suffices for times of the past. */
export function morningBefore(today: Temporal.PlainDate): Temporal.Instant {
  return today.toZonedDateTime({ timeZone: 'UTC', plainTime: '07:00' }).toInstant()
}

export async function storeGeneratedPayments(database: Queryable, history: StoredHistory): Promise<void> {
  await storePayments(database, history)
  await storeStatuses(database, history)
  await storeApprovals(database, history)
}

async function storePayments({ query }: Queryable, { partnerId, consentId }: StoredHistory): Promise<void> {
  await sql`
    insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
      amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, bank_payment_id,
      status, status_reason_text, bank_status, signed, signed_at, notification_token_hash, created_at, status_at, changed_at,
      announced_at, final_since)
    select c.partner_id, g.id, 'Domestic', c.id, c.bic, c.country_code, c.organisation_number, g.end_to_end_id,
      g.amount_minor, 'NOK', ${DEBTOR_BBAN}, g.creditor_bban, g.created_at::date, (${JSON.stringify(invoice)}::jsonb
        || jsonb_build_object('metadata', jsonb_build_object('endToEndId', g.end_to_end_id),
          'dueDate', g.created_at::date::text,
          'amount', jsonb_build_object('amount', (g.amount_minor / 100.0)::numeric(12, 2)::text, 'currency', 'NOK'),
          'to', jsonb_build_object('account', jsonb_build_object('type', 'bban', 'bban', g.creditor_bban),
            'contactInformation', jsonb_build_object('name', g.creditor))))::text,
      'known', g.id, 'history-' || g.n, g.status, case g.status when 'Rejected' then ${REJECTED_TEXT} end,
      case g.status when 'Rejected' then 'RJCT' when 'Cancelled' then 'CANC' else 'ACSC' end,
      g.status = 'Completed', case when g.status = 'Completed' then g.created_at + interval '3 minutes' end,
      rpad(md5(g.id::text), 43, '0'), g.created_at, g.settled_at, g.settled_at, g.settled_at, g.settled_at
    from generated_payments g join consents c on c.partner_id = ${partnerId} and c.id = ${consentId}`.execute(query)
}

/** The statuses of each payment, and the events that reported the changes. */
async function storeStatuses({ query }: Queryable, { partnerId, loggedSince }: StoredHistory): Promise<void> {
  await sql`
    create temporary table generated_statuses on commit drop as
    select g.id as payment_id, g.n, v.at, v.status, v.previous, v.bank_status, v.position,
      case v.status when 'Rejected' then ${REJECTED_TEXT} end as reason_text,
      overlay(overlay(g.id::text placing to_hex(v.position) from 16 for 1) placing 'e' from 36 for 1)::uuid as id
    from generated_payments g
      cross join lateral (values
        (1, g.created_at, 'Unsigned', null, 'RCVD'),
        (2, case when g.status = 'Completed' then g.created_at + interval '3 minutes' end, 'InProgress', 'Unsigned', 'ACTC'),
        (3, g.settled_at, g.status, case when g.status = 'Completed' then 'InProgress' else 'Unsigned' end,
          case g.status when 'Rejected' then 'RJCT' when 'Cancelled' then 'CANC' else 'ACSC' end)
      ) as v (position, at, status, previous, bank_status)
    where v.at is not null`.execute(query)
  await sql`
    insert into payment_history (partner_id, payment_id, id, at, status, status_reason_text, bank_status)
    select ${partnerId}::uuid, payment_id, id, at, status, reason_text, bank_status from generated_statuses`.execute(
    query,
  )
  await sql`
    with events as (
      select s.*, row_number() over (order by at, n) + coalesce(p.position, 0) as sequence,
        ${JSON.stringify(paymentEventTypes)}::jsonb ->> s.status as type
      from generated_statuses s left join event_positions p on p.partner_id = ${partnerId}
      where s.previous is not null and s.at >= ${timestamp(loggedSince)}),
    stored as (
      insert into events (partner_id, position, id, type, version, subject_id, occurred_at, body)
      select ${partnerId}::uuid, sequence, id, type, ${EVENT_VERSION}, payment_id, at, format(
        '{"id":"%s","type":"%s","version":"${sql.raw(EVENT_VERSION)}","occurredAt":"%s","data":{"paymentId":"%s","previousStatus":"%s","status":"%s","statusReason":null,"statusReasonText":%s}}',
        id, type, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), payment_id, previous, status,
        coalesce(to_json(reason_text)::text, 'null'))
      from events returning position)
    insert into event_positions (partner_id, position)
    select ${partnerId}::uuid, max(position) from stored having count(*) > 0
    on conflict (partner_id) do update set position = excluded.position`.execute(query)
}

async function storeApprovals({ query }: Queryable, { partnerId, consentId }: StoredHistory): Promise<void> {
  await sql`
    with approved as (
      select id as payment_id, n, created_at + interval '1 minute' as at,
        overlay(id::text placing 'a' from 36 for 1)::uuid as id
      from generated_payments where status = 'Completed'),
    stored as (
      insert into approvals (partner_id, id, consent_id, status, created_at, updated_at)
      select ${partnerId}::uuid, id, ${consentId}::uuid, 'ACCEPTED', at, at + interval '2 minutes' from approved)
    insert into approval_payments (partner_id, approval_id, payment_id, position, bank_payment_id, order_digest, result)
    select ${partnerId}::uuid, id, payment_id, 0, 'history-' || n, '', 'ACCEPTED' from approved`.execute(query)
}

/** The request that ordered each payment; its id is just below that of the payment. */
export async function storeGeneratedRequests(
  { query }: Queryable,
  { partnerId, consentId, clientId, loggedSince }: StoredHistory,
): Promise<void> {
  await sql`
    with requests as (
      select g.*, p.ordered, json_build_object('paymentId', g.id, 'paymentStatus', 'Unsigned')::text as answer,
        (lpad(to_hex((extract(epoch from g.created_at) * 1000)::bigint - 40), 12, '0') || substr(replace(g.id::text, '-', ''), 13))::uuid
          as request_id
      from generated_payments g join payments p on p.partner_id = ${partnerId} and p.id = g.id
      where g.created_at >= ${timestamp(loggedSince)}),
    stored as (
      insert into request_log (partner_id, id, client_id, method, path, status, milliseconds, is_payroll, subject_type,
        subject_id, idempotency_key, headers, request_body, response_body, bytes)
      select ${partnerId}::uuid, request_id, ${clientId}, 'POST', '/api/v2/payments', 200, 20 + n % 60, false, 'payment',
        id, end_to_end_id, ${JSON.stringify({ 'consent-id': consentId, 'content-type': 'application/json' })}::json,
        ordered, answer, 300 + length(ordered) + length(answer)
      from requests returning bytes)
    insert into request_log_sizes as s (partner_id, bytes)
    select ${partnerId}::uuid, sum(bytes) from stored having count(*) > 0
    on conflict (partner_id) do update set bytes = s.bytes + excluded.bytes`.execute(query)
}

/** The generated payments that were completed, oldest first, with what the bank books. */
export async function listGeneratedBookings({ query }: Queryable): Promise<readonly BookedPayment[]> {
  const { rows } = await sql<BookedPayment>`
    select '-' || (amount_minor / 100.0)::numeric(12, 2)::text as amount, creditor as counterparty,
      creditor_bban as "counterpartyAccount", end_to_end_id as "endToEndId", settled_at::date::text as "bookedOn"
    from generated_payments where status = 'Completed' order by settled_at, n`.execute(query)
  return rows
}
