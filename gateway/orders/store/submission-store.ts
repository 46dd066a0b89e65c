/** Holds the two statements of an initiation, which concurrent requests share, submission and acknowledgement; and its other ends. */
import { CompiledQuery, sql } from 'kysely'
import { coalesceBySource, type RowStatement, rowQuery, rowStatement } from '../../platform/database/coalesce.ts'
import { rowOf } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import {
  deleteOpenRequestsSql,
  IDEMPOTENCY_ANSWER_COLUMNS,
  IDEMPOTENCY_START_COLUMNS,
  INSERT_REQUESTS_SQL,
  markOpenRequestsUnknownSql,
  STORE_ANSWERS_SQL,
} from '../../platform/http/idempotency/idempotency-fragments.ts'
import type { IdempotencyAnswer, IdempotencyStart } from '../../platform/http/idempotency/idempotency-store.ts'
import type { OrderRequest, Payment, SubmissionOutcome } from '../payment.ts'
import type { PaymentKey } from './payment-store.ts'

/** An order that is about to be stored. */
export type NewOrder = OrderRequest &
  PaymentKey &
  Pick<
    Payment,
    | 'consentId'
    | 'bic'
    | 'countryCode'
    | 'organisationNumber'
    | 'endToEndId'
    | 'amount'
    | 'debtorBban'
    | 'creditorBban'
    | 'dueDate'
    | 'payrollId'
  > &
  /** Only of orders with exchange. */
  Partial<Pick<Payment, 'exchange' | 'quoteId' | 'deadlineAt'>>

/** An order that is about to be submitted, with the request that ordered it where that has a key. */
export type SubmissionRow = Omit<NewOrder, 'amount' | 'ordered'> &
  Pick<Payment, 'bankRequestId' | 'createdAt'> &
  Partial<IdempotencyStart> & {
    readonly amountMinor: bigint
    readonly currency: string
    /** The order as JSON. */
    readonly ordered: string
    readonly notificationTokenHash: string
    /** Wall time after which recovery takes over the submission. */
    readonly recoverAt: Temporal.Instant
    /** Live orders since this time with the same endToEndId, amount and creditor are possible duplicates. */
    readonly duplicatesSince: Temporal.Instant
  }

/** The acknowledgement of the bank; `exchange` is the state of the payment's exchange after it, null without one. */
export type Acknowledgement = PaymentKey &
  Pick<Payment, 'status' | 'statusReason' | 'statusReasonText' | 'statusAt'> &
  Pick<Payment, 'signed' | 'pollAt' | 'finalSince' | 'exchange'> & {
    readonly historyId: string
    readonly bankPaymentId: string
    readonly bankStatus: string
  }

/** The columns of `payments` that a submission states. */
const ORDER_COLUMNS = {
  partner_id: 'uuid',
  id: 'uuid',
  type: 'text',
  consent_id: 'uuid',
  bic: 'text',
  country_code: 'text',
  organisation_number: 'text',
  end_to_end_id: 'text',
  amount_minor: 'bigint',
  currency: 'text',
  debtor_bban: 'text',
  creditor_bban: 'text',
  due_date: 'date',
  ordered: 'text',
  bank_request_id: 'uuid',
  notification_token_hash: 'text',
  created_at: 'timestamptz',
  recover_at: 'timestamptz',
  exchange: 'text',
  quote_id: 'uuid',
  deadline_at: 'timestamptz',
  payroll_id: 'uuid',
  idempotency_operation: 'text',
  idempotency_key: 'text',
}
const ORDER = Object.keys(ORDER_COLUMNS).join(', ')

/**
 * The snapshot of a statement does not hold what it inserts: a row never counts as its own duplicate. Duplicates are
 * looked up by the partner's id as text, so that only the index on endToEndIds can serve (decision 0085).
 */
export const INSERT_SUBMISSIONS = rowStatement(
  'insert-submissions',
  { ...ORDER_COLUMNS, duplicates_since: 'timestamptz', ...IDEMPOTENCY_START_COLUMNS },
  (rows) => `
  with requests ${rows},
  idempotent as (${INSERT_REQUESTS_SQL}),
  inserted as (
    insert into payments (${ORDER}, outcome, status, status_at, changed_at)
    select ${ORDER}, 'in-flight', 'Unsigned', created_at, created_at from requests)
  select i.id, (
    select coalesce(p.payroll_id, p.id) from payments p
    where p.end_to_end_id = i.end_to_end_id and p.partner_id::text = i.partner_id::text and p.created_at >= i.duplicates_since
      and p.amount_minor = i.amount_minor and p.currency = i.currency and p.creditor_bban = i.creditor_bban
      and p.outcome <> 'void' and p.status not in ('Rejected', 'Cancelled')
    order by p.created_at, p.id limit 1) as "duplicateOf"
  from requests i`,
)

/**
 * The bank's answer counts whenever it arrives, even after recovery has taken over. An order that operators have voided,
 * and a payment with another status than partners saw while its outcome was unknown, are left to
 * `recordLateAcknowledgement`. Otherwise the result holds the outcome before, as of the statement's snapshot. The condition
 * on open outcomes is one for which PostgreSQL has no statistics: otherwise it would use the index of open outcomes,
 * with all rows that have left it since the last vacuum, or expect no open row and scan the whole table (decision
 * 0085).
 */
export const RECORD_ACKNOWLEDGEMENTS = rowStatement(
  'record-acknowledgements',
  {
    partner_id: 'uuid',
    id: 'uuid',
    history_id: 'uuid',
    bank_payment_id: 'text',
    status: 'text',
    status_reason: 'text',
    status_reason_text: 'text',
    bank_status: 'text',
    signed: 'boolean',
    status_at: 'timestamptz',
    poll_at: 'timestamptz',
    final_since: 'timestamptz',
    exchange: 'text',
    ...IDEMPOTENCY_ANSWER_COLUMNS,
  },
  (rows) => `
  with responses ${rows},
  updated as (
    update payments p set outcome = 'known', bank_payment_id = a.bank_payment_id, status = a.status,
      status_reason = a.status_reason, status_reason_text = a.status_reason_text, bank_status = a.bank_status,
      signed = a.signed, signed_at = case when a.signed then a.status_at end, status_at = a.status_at,
      changed_at = a.status_at, poll_at = a.poll_at, final_since = a.final_since, recover_at = null,
      -- What is decided is not decided again by a late response.
      exchange = case when p.exchange = 'unsigned' then a.exchange else p.exchange end,
      decide_at = case when p.exchange = 'unsigned' and a.exchange <> 'unsigned' then a.status_at else p.decide_at end
    from responses a
    where p.partner_id = a.partner_id and p.id = a.id
      and case p.outcome when 'known' then false when 'void' then false
        when 'unknown' then p.status = a.status or p.payroll_id is not null else true end
    returning a.*),
  history as (
    insert into payment_history (partner_id, payment_id, id, at, status, status_reason, status_reason_text, bank_status)
    select partner_id, id, history_id, status_at, status, status_reason, status_reason_text, bank_status from updated),
  finished as (${STORE_ANSWERS_SQL})
  select a.id,
    -- Operators may have decided after the snapshot was taken.
    case when p.outcome <> 'known' and a.id not in (select id from updated) then 'left' else p.outcome end as "before"
  from responses a
  join payments p on p.partner_id = a.partner_id and p.id = a.id`,
)

/** Executes a statement on a row, together with the rows of concurrent requests of the process. */
function sharedStatement<Row extends PaymentKey, Result>(statement: RowStatement) {
  return coalesceBySource<Database<unknown>, Row, Result>({
    keyOf: ({ partnerId, id }) => `${partnerId} ${id}`,
    run: async ({ pool }, rows) => {
      const answer = await pool.query<Result & { id: string }>(rowQuery(statement, rows.map(rowOf)))
      const resultById = new Map(answer.rows.map((result) => [result.id, result]))
      return rows.flatMap(({ id }) => resultById.get(id) ?? [])
    },
  })
}

/** Inserts a submission; the result names the payment of an earlier equal order, or its payroll. */
export const insertSubmission = sharedStatement<SubmissionRow, { readonly duplicateOf: string | null }>(
  INSERT_SUBMISSIONS,
)
/** Records an acknowledgement with the answer to its request; `before` is the previous outcome, or `left` where it is to be recorded with an event. */
export const writeAcknowledgement = sharedStatement<
  Acknowledgement & Partial<IdempotencyAnswer>,
  { readonly before: SubmissionOutcome | 'left' }
>(RECORD_ACKNOWLEDGEMENTS)

/** Inserts a submission within a transaction. */
export async function createSubmissionInTransaction(
  { query }: Queryable,
  row: SubmissionRow,
): Promise<{ readonly duplicateOf: string | null }> {
  const { text, values } = rowQuery(INSERT_SUBMISSIONS, [rowOf(row)])
  const { rows } = await query.executeQuery<{ duplicateOf: string | null }>(CompiledQuery.raw(text, values))
  return { duplicateOf: rows[0]?.duplicateOf ?? null }
}

/**
 * Deletes an order that the bank certainly did not accept and releases its idempotency key, even after recovery has
 * taken over. Returns the previous outcome, or undefined when it was settled meanwhile.
 */
export async function deleteSubmission(
  database: Queryable,
  { partnerId, id }: PaymentKey,
): Promise<SubmissionOutcome | undefined> {
  const { rows } = await sql<{ outcome: SubmissionOutcome }>`
    with dropped as (
      delete from payments where partner_id = ${partnerId} and id = ${id} and outcome in ('in-flight', 'unknown')
      returning outcome, idempotency_operation as operation, idempotency_key as key),
    freed as (${deleteOpenRequestsSql(partnerId, 'dropped')})
    select outcome from dropped`.execute(database.query)
  return rows[0]?.outcome
}

/** Marks the outcome of an order as unknown, also under its idempotency key. Returns false when it was settled. */
export async function recordUnknownOutcome(
  { query }: Database<unknown>,
  { partnerId, id }: PaymentKey,
): Promise<boolean> {
  const { rows } = await sql`
    with marked as (
      update payments set outcome = 'unknown', recover_at = null, lease_until = null
      where partner_id = ${partnerId} and id = ${id} and outcome = 'in-flight'
      returning id, idempotency_operation as operation, idempotency_key as key),
    keys as (${markOpenRequestsUnknownSql(partnerId, 'marked')})
    select id from marked`.execute(query)
  return rows.length === 1
}
