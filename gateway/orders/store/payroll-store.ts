/** Queries on payrolls: one row each, whatever the number of transactions. */
import { type ColumnType, type Kysely, sql } from 'kysely'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { ListFilter } from '../order-list-query.ts'
import type { Payroll, PayrollState, SubmissionMode } from '../payroll.ts'
import { listCondition, listSortColumn } from './payment-list-store.ts'

type Instant = ColumnType<Temporal.Instant, string, string>
type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>

export type PayrollTables = {
  payrolls: {
    partner_id: string
    id: string
    bulk_id: string | null
    consent_id: string
    bic: string
    country_code: string
    organisation_number: string
    debtor_bban: string
    currency: string
    due_date: ColumnType<Temporal.PlainDate, string, never>
    submission_mode: SubmissionMode
    transaction_count: number
    terms_sealed: Buffer
    state: PayrollState
    state_text: ColumnType<string | null, string | null | undefined, string | null>
    status: PaymentStatusValue
    created_at: Instant
    changed_at: Instant
    next_run_at: MaybeInstant
    submit_at: MaybeInstant
    submission_consent_id: string
    submission_failed_since: MaybeInstant
  }
}

export type PayrollRowKey = Pick<Payroll, 'partnerId' | 'id'>

export const payrollTables = (database: Queryable): Kysely<PayrollTables> => database.query.withTables<PayrollTables>()

/** The columns of a payroll, named as in `Payroll`. */
export const PAYROLL = [
  'partner_id as partnerId',
  'id',
  'bulk_id as bulkId',
  'consent_id as consentId',
  'bic',
  'country_code as countryCode',
  'organisation_number as organisationNumber',
  'debtor_bban as debtorBban',
  'currency',
  'due_date as dueDate',
  'submission_mode as submissionMode',
  'transaction_count as transactionCount',
  'state',
  'state_text as stateText',
  'status',
  'created_at as createdAt',
  'changed_at as changedAt',
  'next_run_at as nextRunAt',
  'submit_at as submitAt',
  'submission_consent_id as submissionConsentId',
  'submission_failed_since as submissionFailedSince',
] as const

export async function insertPayroll(database: Queryable, payroll: Payroll, termsSealed: Buffer): Promise<void> {
  await payrollTables(database)
    .insertInto('payrolls')
    .values({
      partner_id: payroll.partnerId,
      id: payroll.id,
      bulk_id: payroll.bulkId,
      consent_id: payroll.consentId,
      bic: payroll.bic,
      country_code: payroll.countryCode,
      organisation_number: payroll.organisationNumber,
      debtor_bban: payroll.debtorBban,
      currency: payroll.currency,
      due_date: payroll.dueDate.toString(),
      submission_mode: payroll.submissionMode,
      transaction_count: payroll.transactionCount,
      terms_sealed: termsSealed,
      state: payroll.state,
      state_text: payroll.stateText,
      status: payroll.status,
      created_at: payroll.createdAt.toString(),
      changed_at: payroll.changedAt.toString(),
      next_run_at: payroll.nextRunAt?.toString() ?? null,
      submit_at: payroll.submitAt?.toString() ?? null,
      submission_consent_id: payroll.submissionConsentId,
    })
    .execute()
}

/**
 * Holds the id until the transaction ends. A commit goes on at the database when its process has lost the connection, and
 * its rows are invisible until then.
 */
export async function lockPayrollId({ query }: Queryable, { id }: Pick<PayrollRowKey, 'id'>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`.execute(query)
}

export async function findPayroll(database: Queryable, { partnerId, id }: PayrollRowKey): Promise<Payroll | undefined> {
  return await payrollTables(database)
    .selectFrom('payrolls')
    .select(PAYROLL)
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function findPayrollTerms(
  database: Queryable,
  { partnerId, id }: PayrollRowKey,
): Promise<Buffer | undefined> {
  const row = await payrollTables(database)
    .selectFrom('payrolls')
    .select('terms_sealed as sealed')
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.sealed
}

/** Deletes the row of a payroll; `deletePayrollContents` deletes its transactions. */
export async function deletePayroll(database: Queryable, { partnerId, id }: PayrollRowKey): Promise<void> {
  await payrollTables(database)
    .deleteFrom('payrolls')
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .execute()
}

const DUPLICATE_WITHIN = { hours: 24 }

/** Stores the content digest of a new payroll; returns an equal one of the last 24 hours that is neither rejected nor cancelled. */
export async function recordContentDigest(
  transaction: Queryable,
  { partnerId, id, createdAt }: PayrollRowKey & Pick<Payroll, 'createdAt'>,
  digest: string,
): Promise<string | undefined> {
  const since = createdAt.subtract(DUPLICATE_WITHIN).toString()
  const { rows } = await sql<{ id: string }>`
    with noted as (
      update payrolls set content_digest = ${digest} where partner_id = ${partnerId} and id = ${id})
    select id from payrolls
    where partner_id = ${partnerId} and content_digest = ${digest} and created_at >= ${since}::timestamptz
      and id <> ${id} and status not in ('Rejected', 'Cancelled')
    order by created_at limit 1`.execute(transaction.query)
  return rows[0]?.id
}

/** A payroll as the list needs it. */
export type ListedPayroll = Payroll & { readonly termsSealed: Buffer; readonly outcomeUnknown: boolean }

/** The partner's payrolls in order of creation or of last change, at most `limit`. */
export async function listPayrollsOfPartner(
  database: Database<unknown>,
  partnerId: string,
  filter: ListFilter,
  limit: number,
): Promise<readonly ListedPayroll[]> {
  const order = listSortColumn(filter)
  let query = payrollTables(database)
    .selectFrom('payrolls')
    .select(PAYROLL)
    .select('terms_sealed as termsSealed')
    .select(
      sql<boolean>`exists (select from payments p where p.partner_id = payrolls.partner_id
        and p.payroll_id = payrolls.id and p.outcome in ('in-flight', 'unknown'))`.as('outcomeUnknown'),
    )
    .where('partner_id', '=', partnerId)
    .where(listCondition(filter))
  if (filter.endToEndId !== undefined) {
    query = query.where(sql<boolean>`id in (select payroll_id from payroll_transactions
      where partner_id = ${partnerId} and end_to_end_id = ${filter.endToEndId})`)
  }
  return await query.orderBy(order).orderBy('id').limit(limit).execute()
}
