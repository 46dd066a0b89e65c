/** The two statements of an initiation: keep the intent, keep the answer. Concurrent requests share them. */
import { CompiledQuery, sql } from 'kysely'
import type { PaymentStatusReason, PaymentStatusValue } from '../../../contract/shapes.ts'
import { coalesce } from '../../platform/database/coalesce.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { rowsOfList } from '../../platform/database/json-rows.ts'
import {
  BEGIN_REQUESTS,
  type IdempotencyAnswer,
  type IdempotencyIntent,
  KEEP_ANSWERS,
} from '../../platform/http/idempotency/idempotency-store.ts'
import type { ExchangeState } from '../exchange/exchange.ts'
import type { Outcome, Payment } from '../payment.ts'
import { paymentTables } from '../payment-store.ts'

/** An order that the bank is about to be asked to take. */
export type IntentRow = {
  readonly partner_id: string
  readonly id: string
  readonly type: Payment['type']
  readonly consent_id: string
  readonly bic: string
  readonly country_code: string
  readonly organisation_number: string
  readonly end_to_end_id: string
  readonly amount_minor: string
  readonly currency: string
  readonly debtor_bban: string
  readonly creditor_bban: string
  readonly due_date: string
  readonly ordered: string
  readonly bank_request_id: string
  readonly hint_hash: string
  readonly created_at: string
  /** Wall time after which recovery takes the intent up. */
  readonly recover_at: string
  /** Orders since this time with the same endToEndId, amount and receiver are possible duplicates, unless they came to nothing. */
  readonly duplicates_since: string
  /** Absent for orders without exchange, as is what follows. */
  readonly exchange?: ExchangeState
  readonly quote_id?: string
  readonly deadline_at?: string
  /** The payroll that it is an order of; absent for payments. */
  readonly payroll_id?: string
  readonly idempotency: IdempotencyIntent | null
}

/** What the bank answered. */
export type AcceptanceRow = {
  readonly partner_id: string
  readonly id: string
  readonly history_id: string
  readonly bank_payment_id: string
  readonly status: PaymentStatusValue
  readonly status_reason: PaymentStatusReason | null
  readonly status_reason_text: string | null
  readonly bank_status: string
  readonly signed: boolean
  readonly at: string
  readonly poll_at: string | null
  readonly final_since: string | null
  /** What the answer makes of the payment's exchange; null without one. */
  readonly exchange: ExchangeState | null
  readonly idempotency: IdempotencyAnswer | null
}

/** What revives a payment of which people had said that the bank never took it. */
export type RevivalRow = Omit<AcceptanceRow, 'idempotency' | 'exchange'>

/** What was revived, and when the event of that is to have occurred. */
export type Revived = {
  readonly previousStatus: PaymentStatusValue
  readonly announcedAt: Temporal.Instant | null
  /** The payroll that it is an order of; null for payments. */
  readonly payrollId: string | null
}

const INTENT_COLUMNS = `partner_id uuid, id uuid, type text, consent_id uuid, bic text, country_code text,
  organisation_number text, end_to_end_id text, amount_minor bigint, currency text, debtor_bban text, creditor_bban text,
  due_date date, ordered text, bank_request_id uuid, hint_hash text, created_at timestamptz, recover_at timestamptz,
  duplicates_since timestamptz, exchange text, quote_id uuid, deadline_at timestamptz,
  payroll_id uuid, idempotency jsonb`

/**
 * The snapshot of a statement does not hold what it inserts: a row never counts as its own duplicate. Duplicates are looked
 * up by the partner's id as text, as the index of endToEndIds has it, so that no other index can serve (decision 0085).
 */
export const KEEP_INTENTS = `
  with intents as (${rowsOfList(INTENT_COLUMNS)}),
  begun as (${BEGIN_REQUESTS}),
  kept as (
    insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
      amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, status, hint_hash,
      created_at, status_at, changed_at, recover_at, exchange, quote_id, deadline_at, payroll_id, idempotency_operation,
      idempotency_key)
    select partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
      amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, 'asked', bank_request_id, 'Unsigned', hint_hash,
      created_at, created_at, created_at, recover_at, exchange, quote_id, deadline_at, payroll_id,
      idempotency ->> 'operation', idempotency ->> 'key'
    from intents)
  select i.id, (
    select p.id from payments p
    where p.end_to_end_id = i.end_to_end_id and p.partner_id::text = i.partner_id::text and p.created_at >= i.duplicates_since
      and p.amount_minor = i.amount_minor and p.currency = i.currency and p.creditor_bban = i.creditor_bban
      and p.outcome <> 'void' and p.status not in ('Rejected', 'Cancelled')
    order by p.created_at, p.id limit 1) as "duplicateOf"
  from intents i`

const ANSWER_COLUMNS = `partner_id uuid, id uuid, history_id uuid, bank_payment_id text, status text, status_reason text,
  status_reason_text text, bank_status text, signed boolean, at timestamptz, poll_at timestamptz,
  final_since timestamptz, exchange text, idempotency jsonb`

/**
 * The bank's word counts whenever it comes: also after recovery gave the intent up. An order of which people said that
 * the bank never took it is left to `revive`. The result tells what was known before, as of the statement's snapshot. What
 * is still open is asked in a way of which PostgreSQL has no statistics: otherwise it takes the index of open outcomes, with
 * all that has left that since the last vacuum, or expects that nothing is open and reads the table whole (decision 0085).
 */
export const KEEP_ACCEPTANCES = `
  with answers as (${rowsOfList(ANSWER_COLUMNS)}),
  updated as (
    update payments p set outcome = 'known', bank_payment_id = a.bank_payment_id, status = a.status,
      status_reason = a.status_reason, status_reason_text = a.status_reason_text, bank_status = a.bank_status,
      signed = a.signed, signed_at = case when a.signed then a.at end, status_at = a.at, changed_at = a.at, poll_at = a.poll_at, final_since = a.final_since,
      recover_at = null,
      -- What is decided already is not decided anew by an answer that comes late.
      exchange = case when p.exchange = 'awaited' then a.exchange else p.exchange end,
      decide_at = case when p.exchange = 'awaited' and a.exchange <> 'awaited' then a.at else p.decide_at end
    from answers a
    where p.partner_id = a.partner_id and p.id = a.id
      and case p.outcome when 'known' then false when 'void' then false else true end
    returning a.*),
  told as (
    insert into payment_history (partner_id, payment_id, id, at, status, status_reason, status_reason_text, bank_status)
    select partner_id, id, history_id, at, status, status_reason, status_reason_text, bank_status from updated),
  finished as (${KEEP_ANSWERS})
  select a.id,
    -- People may have spoken after the snapshot was taken.
    case when p.outcome <> 'known' and a.id not in (select id from updated) then 'void' else p.outcome end as "before"
  from answers a
  join payments p on p.partner_id = a.partner_id and p.id = a.id`

/** Keeps intents; the result names an earlier payment that orders the same. */
export type KeepIntent = (row: IntentRow) => Promise<{ readonly duplicateOf: string | null }>
/** Keeps acceptances; `before` is what was known of the outcome until then. */
export type KeepAcceptance = (row: AcceptanceRow) => Promise<{ readonly before: Outcome }>

/** Makes both statements of a process. */
export function initiationStatements(database: Database<unknown>): {
  readonly keepIntent: KeepIntent
  readonly keepAcceptance: KeepAcceptance
} {
  const keyOf = ({ partner_id, id }: { readonly partner_id: string; readonly id: string }) => `${partner_id} ${id}`
  const runner =
    <Result>(name: string, text: string) =>
    async (rows: readonly { readonly id: string }[]): Promise<readonly Result[]> => {
      const answer = await database.pool.query<Result & { id: string }>({ name, text, values: [JSON.stringify(rows)] })
      const resultById = new Map(answer.rows.map((result) => [result.id, result]))
      return rows.flatMap(({ id }) => resultById.get(id) ?? [])
    }
  return {
    keepIntent: coalesce({ keyOf, run: runner<{ duplicateOf: string | null }>('payments-keep-intents', KEEP_INTENTS) }),
    keepAcceptance: coalesce({
      keyOf,
      run: runner<{ before: Outcome }>('payments-keep-acceptances', KEEP_ACCEPTANCES),
    }),
  }
}

/** Keeps an intent within a transaction. */
export async function keepIntentWithin(
  { query }: Queryable,
  row: IntentRow,
): Promise<{ readonly duplicateOf: string | null }> {
  const { rows } = await query.executeQuery<{ duplicateOf: string | null }>(
    CompiledQuery.raw(KEEP_INTENTS, [JSON.stringify([row])]),
  )
  return { duplicateOf: rows[0]?.duplicateOf ?? null }
}

/** What a void payment was until the bank's answer came, and when the event of the change occurs. Undefined when it is not void. */
export async function reviveVoid(transaction: Queryable, row: RevivalRow): Promise<Revived | undefined> {
  const [at, isChange] = [sql`${row.at}::timestamptz`, sql`b.status <> ${row.status}`]
  const { rows } = await sql<Revived>`
    with before as (
      select partner_id, id, status from payments
      where partner_id = ${row.partner_id} and id = ${row.id} and outcome = 'void' for update),
    updated as (
      update payments p set outcome = 'known', bank_payment_id = ${row.bank_payment_id}, status = ${row.status},
        status_reason = ${row.status_reason}, status_reason_text = ${row.status_reason_text},
        bank_status = ${row.bank_status}, signed = ${row.signed}, signed_at = case when ${row.signed} then ${at} end,
        status_at = ${at}, changed_at = ${at}, poll_at = ${row.poll_at}::timestamptz, poll_step = 0,
        final_since = ${row.final_since}::timestamptz, recover_at = null,
        -- Its deal was undone when people spoke.
        exchange = case when p.exchange is not null then 'unwithdrawn' end,
        decide_at = case when p.exchange is not null then ${at} end,
        announced_at = case when ${isChange} then greatest(${at}, p.announced_at + interval '1 millisecond')
          else p.announced_at end
      from before b where p.partner_id = b.partner_id and p.id = b.id
      returning p.partner_id, p.id, b.status as previous, p.announced_at as announced, p.payroll_id),
    told as (
      insert into payment_history (partner_id, payment_id, id, at, status, status_reason, status_reason_text, bank_status)
      select partner_id, id, ${row.history_id}, ${at}, ${row.status}, ${row.status_reason}, ${row.status_reason_text},
        ${row.bank_status}
      from updated)
    select previous as "previousStatus", announced as "announcedAt", payroll_id as "payrollId" from updated`.execute(
    paymentTables(transaction),
  )
  return rows[0]
}

/**
 * Forgets an order that the bank certainly did not take, and frees its idempotency key, also when recovery has given it
 * up meanwhile. Answers what was known of it, or undefined when it was settled otherwise.
 */
export async function dropIntent(
  database: Queryable,
  { partnerId, id }: { readonly partnerId: string; readonly id: string },
): Promise<Outcome | undefined> {
  const { rows } = await sql<{ outcome: Outcome }>`
    with dropped as (
      delete from payments where partner_id = ${partnerId} and id = ${id} and outcome in ('asked', 'unknown')
      returning outcome, idempotency_operation as operation, idempotency_key as key),
    freed as (
      delete from idempotency k using dropped d
      where k.partner_id = ${partnerId} and k.operation = d.operation and k.key = d.key and k.status is null)
    select outcome from dropped`.execute(paymentTables(database))
  return rows[0]?.outcome
}

/** Says of an order that its outcome is not known, here and under its idempotency key. False when it was settled. */
export async function markUnknown(
  database: Database<unknown>,
  { partnerId, id }: { readonly partnerId: string; readonly id: string },
): Promise<boolean> {
  const { rows } = await database.pool.query(
    `with marked as (
       update payments set outcome = 'unknown', recover_at = null, lease_until = null
       where partner_id = $1 and id = $2 and outcome = 'asked'
       returning id, idempotency_operation as operation, idempotency_key as key),
     keys as (
       update idempotency k set outcome_unknown = true from marked m
       where k.partner_id = $1 and k.operation = m.operation and k.key = m.key and k.status is null)
     select id from marked`,
    [partnerId, id],
  )
  return rows.length === 1
}
