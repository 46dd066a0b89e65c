/** Holds the two statements of an initiation, which concurrent requests share: submission and acknowledgement. */
import { CompiledQuery } from 'kysely'
import type { PaymentStatusReason, PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import { coalesce, oncePerDatabase } from '../../platform/database/coalesce.ts'
import { type RowStatement, rowQuery, rowStatement, type StatementRow } from '../../platform/database/copy-rows.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import {
  IDEMPOTENCY_ANSWER_COLUMNS,
  IDEMPOTENCY_START_COLUMNS,
  INSERT_REQUESTS_SQL,
  idempotencyColumns,
  STORE_ANSWERS_SQL,
} from '../../platform/http/idempotency/idempotency-fragments.ts'
import type { IdempotencyAnswer, IdempotencyStart } from '../../platform/http/idempotency/idempotency-store.ts'
import type { ExchangeState } from '../exchange-state.ts'
import type { Payment, SubmissionOutcome } from '../payment.ts'

/** An order that is about to be submitted. */
export type SubmissionRow = {
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
  readonly notification_token_hash: string
  readonly created_at: string
  /** Wall time after which recovery takes over the submission. */
  readonly recover_at: string
  /** Live orders since this time with the same endToEndId, amount and creditor are possible duplicates. */
  readonly duplicates_since: string
  /** This and the two following columns are absent for orders without exchange. */
  readonly exchange?: ExchangeState
  readonly quote_id?: string
  readonly deadline_at?: string
  /** The payroll to which the order belongs; null for payments. */
  readonly payroll_id?: string | null
  readonly idempotency: IdempotencyStart | null
}

/** The acknowledgement of the bank. */
export type AcknowledgementRow = {
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
  /** The state of the payment's exchange after the answer; null without one. */
  readonly exchange: ExchangeState | null
  readonly idempotency: IdempotencyAnswer | null
}

const SUBMISSION_COLUMNS = {
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
  duplicates_since: 'timestamptz',
  exchange: 'text',
  quote_id: 'uuid',
  deadline_at: 'timestamptz',
  payroll_id: 'uuid',
  ...IDEMPOTENCY_START_COLUMNS,
} as const satisfies Readonly<Partial<Record<keyof SubmissionRow | keyof typeof IDEMPOTENCY_START_COLUMNS, string>>>

/**
 * The snapshot of a statement does not hold what it inserts: a row never counts as its own duplicate. Duplicates are
 * looked up by the partner's id as text, so that only the index on endToEndIds can serve (decision 0085).
 */
export const INSERT_SUBMISSIONS = rowStatement(
  'insert-submissions',
  SUBMISSION_COLUMNS,
  (rows) => `
  with requests ${rows},
  idempotent as (${INSERT_REQUESTS_SQL}),
  inserted as (
    insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
      amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, status, notification_token_hash,
      created_at, status_at, changed_at, recover_at, exchange, quote_id, deadline_at, payroll_id, idempotency_operation,
      idempotency_key)
    select partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
      amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, 'in-flight', bank_request_id, 'Unsigned', notification_token_hash,
      created_at, created_at, created_at, recover_at, exchange, quote_id, deadline_at, payroll_id,
      idempotency_operation, idempotency_key
    from requests)
  select i.id, (
    select p.id from payments p
    where p.end_to_end_id = i.end_to_end_id and p.partner_id::text = i.partner_id::text and p.created_at >= i.duplicates_since
      and p.amount_minor = i.amount_minor and p.currency = i.currency and p.creditor_bban = i.creditor_bban
      and p.outcome <> 'void' and p.status not in ('Rejected', 'Cancelled')
    order by p.created_at, p.id limit 1) as "duplicateOf"
  from requests i`,
)

const ACKNOWLEDGEMENT_COLUMNS = {
  partner_id: 'uuid',
  id: 'uuid',
  history_id: 'uuid',
  bank_payment_id: 'text',
  status: 'text',
  status_reason: 'text',
  status_reason_text: 'text',
  bank_status: 'text',
  signed: 'boolean',
  at: 'timestamptz',
  poll_at: 'timestamptz',
  final_since: 'timestamptz',
  exchange: 'text',
  ...IDEMPOTENCY_ANSWER_COLUMNS,
} as const

/**
 * The bank's answer counts whenever it arrives, even after recovery has taken over. An order that operators have voided
 * is left to `writeRestoredPayment`. The result holds the outcome before, as of the statement's snapshot. The condition
 * on open outcomes is one for which PostgreSQL has no statistics: otherwise it would use the index of open outcomes,
 * with all rows that have left it since the last vacuum, or expect no open row and scan the whole table (decision
 * 0085).
 */
export const RECORD_ACKNOWLEDGEMENTS = rowStatement(
  'record-acknowledgements',
  ACKNOWLEDGEMENT_COLUMNS,
  (rows) => `
  with responses ${rows},
  updated as (
    update payments p set outcome = 'known', bank_payment_id = a.bank_payment_id, status = a.status,
      status_reason = a.status_reason, status_reason_text = a.status_reason_text, bank_status = a.bank_status,
      signed = a.signed, signed_at = case when a.signed then a.at end, status_at = a.at, changed_at = a.at, poll_at = a.poll_at, final_since = a.final_since,
      recover_at = null,
      -- What is decided is not decided again by a late response.
      exchange = case when p.exchange = 'unsigned' then a.exchange else p.exchange end,
      decide_at = case when p.exchange = 'unsigned' and a.exchange <> 'unsigned' then a.at else p.decide_at end
    from responses a
    where p.partner_id = a.partner_id and p.id = a.id
      and case p.outcome when 'known' then false when 'void' then false else true end
    returning a.*),
  history as (
    insert into payment_history (partner_id, payment_id, id, at, status, status_reason, status_reason_text, bank_status)
    select partner_id, id, history_id, at, status, status_reason, status_reason_text, bank_status from updated),
  finished as (${STORE_ANSWERS_SQL})
  select a.id,
    -- Operators may have decided after the snapshot was taken.
    case when p.outcome <> 'known' and a.id not in (select id from updated) then 'void' else p.outcome end as "before"
  from responses a
  join payments p on p.partner_id = a.partner_id and p.id = a.id`,
)

/** The row as the statements read it, with the columns of its idempotency record. */
export function statementRow({ idempotency, ...row }: SubmissionRow | AcknowledgementRow): StatementRow {
  return { ...row, ...idempotencyColumns(idempotency) }
}

/** Executes a statement on a row, together with the rows of concurrent requests of the process. */
function sharedStatement<Row extends SubmissionRow | AcknowledgementRow, Result>(statement: RowStatement) {
  return oncePerDatabase((database) =>
    coalesce<Row, Result>({
      keyOf: ({ partner_id, id }) => `${partner_id} ${id}`,
      run: async (rows) => {
        const answer = await database.pool.query<Result & { id: string }>(rowQuery(statement, rows.map(statementRow)))
        const resultById = new Map(answer.rows.map((result) => [result.id, result]))
        return rows.flatMap(({ id }) => resultById.get(id) ?? [])
      },
    }),
  )
}

/** Inserts submissions; the result names an earlier equal payment. */
export const submissionInserter = sharedStatement<SubmissionRow, { readonly duplicateOf: string | null }>(
  INSERT_SUBMISSIONS,
)
/** Records acknowledgements; `before` is the previous outcome. */
export const acknowledgementWriter = sharedStatement<AcknowledgementRow, { readonly before: SubmissionOutcome }>(
  RECORD_ACKNOWLEDGEMENTS,
)

/** Inserts a submission within a transaction. */
export async function createSubmissionInTransaction(
  { query }: Queryable,
  row: SubmissionRow,
): Promise<{ readonly duplicateOf: string | null }> {
  const { text, values } = rowQuery(INSERT_SUBMISSIONS, [statementRow(row)])
  const { rows } = await query.executeQuery<{ duplicateOf: string | null }>(CompiledQuery.raw(text, values))
  return { duplicateOf: rows[0]?.duplicateOf ?? null }
}
