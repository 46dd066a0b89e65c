/** Queries on payrolls: one row each, whatever the number of transactions. */
import { type Kysely, sql } from 'kysely'
import { columnsOf, rowOf, type TableOf } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import type { ListFilter } from '../order-list-query.ts'
import type { Payroll } from '../payroll.ts'
import { listCondition, listSortColumn } from './payment-list-store.ts'

type PayrollTables = { payrolls: TableOf<Payroll & { readonly termsSealed: Buffer }> }

export type PayrollRowKey = Pick<Payroll, 'partnerId' | 'id'>

const payrollTables = (database: Queryable): Kysely<PayrollTables> => database.query.withTables<PayrollTables>()

/** The columns of a payroll, named as in `Payroll`. */
const PAYROLL = columnsOf(
  'partnerId',
  'id',
  'bulkId',
  'consentId',
  'bic',
  'countryCode',
  'organisationNumber',
  'debtorBban',
  'currency',
  'dueDate',
  'submissionMode',
  'transactionCount',
  'state',
  'stateText',
  'status',
  'createdAt',
  'changedAt',
  'nextRunAt',
  'submitAt',
  'submissionConsentId',
  'submissionFailedSince',
)

export async function insertPayroll(database: Queryable, payroll: Payroll, termsSealed: Buffer): Promise<void> {
  await payrollTables(database)
    .insertInto('payrolls')
    .values(rowOf({ ...payroll, termsSealed }))
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
    .where(hasKey({ partnerId, id }))
    .executeTakeFirst()
}

export async function findPayrollTerms({ query }: Queryable, key: PayrollRowKey): Promise<Buffer | undefined> {
  const { rows } = await sql<{ sealed: Buffer }>`
    select terms_sealed as sealed from payrolls where ${hasKey(key)}`.execute(query)
  return rows[0]?.sealed
}

/** Deletes the row of a payroll; `deletePayrollContents` deletes its transactions. */
export async function deletePayroll({ query }: Queryable, key: PayrollRowKey): Promise<void> {
  await sql`delete from payrolls where ${hasKey(key)}`.execute(query)
}

const DUPLICATE_WITHIN = { hours: 24 }

/** Until the transaction ends, an equal payroll waits, which would otherwise not see this one. */
export async function lockContentDigest(
  { query }: Queryable,
  { partnerId }: Pick<PayrollRowKey, 'partnerId'>,
  digest: string,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${partnerId} ${digest}`}, 0))`.execute(query)
}

/** Stores the content digest of a new payroll; returns an equal one of the last 24 hours that is neither rejected nor cancelled. */
export async function recordContentDigest(
  transaction: Queryable,
  { partnerId, id, createdAt }: PayrollRowKey & Pick<Payroll, 'createdAt'>,
  digest: string,
): Promise<string | null> {
  const since = createdAt.subtract(DUPLICATE_WITHIN).toString()
  const { rows } = await sql<{ id: string }>`
    with noted as (
      update payrolls set content_digest = ${digest} where partner_id = ${partnerId} and id = ${id})
    select id from payrolls
    where partner_id = ${partnerId} and content_digest = ${digest} and created_at >= ${since}::timestamptz
      and id <> ${id} and status not in ('Rejected', 'Cancelled')
    order by created_at limit 1`.execute(transaction.query)
  return rows[0]?.id ?? null
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
