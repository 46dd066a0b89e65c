/** Stores payrolls: the row of each with its sealed terms, and its contents, sealed in chunks that are opened when needed. */
import { setImmediate as breathe } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Seal } from '../../platform/crypto/envelope-encryption.ts'
import { columnsOf, rowOf, type TableOf } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import type { ListFilter } from '../order-list-query.ts'
import { type Payroll, type PayrollTerms, payrollPurpose } from '../payroll.ts'
import {
  type PayrollContents,
  type PayrollKey,
  TRANSACTIONS_PER_CHUNK,
  type TransactionRange,
  transactionChunkPurpose,
} from '../payroll-order.ts'
import { listCondition, listSortColumn } from './payment-list-store.ts'

type PayrollTables = { payrolls: TableOf<Payroll & { readonly termsSealed: Buffer }> }

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

/** A stored chunk of the contents. */
type SealedTransactionChunk = { readonly number: number; readonly sealed: Buffer }

/** What is stored of a payroll apart from its row. */
type SealedContents = {
  readonly chunks: readonly SealedTransactionChunk[]
  /** Those of its transactions. */
  readonly endToEndIds: readonly string[]
}

/** Seals the contents without storing them; yields to the event loop between chunks. */
export async function sealPayrollContents(
  { seal }: Context,
  key: PayrollKey,
  { from, purposeCode, transactions }: PayrollContents,
): Promise<SealedContents> {
  const chunks: SealedTransactionChunk[] = []
  for (let first = 0; first < transactions.length; first += TRANSACTIONS_PER_CHUNK) {
    const some = transactions.slice(first, first + TRANSACTIONS_PER_CHUNK)
    const content: PayrollContents = { from, purposeCode, transactions: some }
    const number = chunks.length
    chunks.push({ number, sealed: seal.seal(JSON.stringify(content), transactionChunkPurpose(key, number)) })
    await breathe()
  }
  return { chunks, endToEndIds: transactions.map(({ metadata }) => metadata.endToEndId) }
}

/** Stores the row of a payroll and its contents. */
export async function insertPayroll(
  transaction: Queryable,
  payroll: Payroll,
  { termsSealed, ...contents }: SealedContents & { readonly termsSealed: Buffer },
): Promise<void> {
  await payrollTables(transaction)
    .insertInto('payrolls')
    .values(rowOf({ ...payroll, termsSealed }))
    .execute()
  await insertPayrollContents(transaction, { partnerId: payroll.partnerId, payrollId: payroll.id }, contents)
}

/**
 * Stores the sealed chunks and a row for each transaction, by position and without an order. JSON is serialised at once, an
 * array of texts one element at a time.
 */
export async function insertPayrollContents(
  { query }: Queryable,
  { partnerId, payrollId }: PayrollKey,
  { chunks, endToEndIds }: SealedContents,
): Promise<void> {
  for (const { number, sealed } of chunks) {
    await sql`
      insert into payroll_transaction_chunks (partner_id, payroll_id, number, content_sealed)
      values (${partnerId}, ${payrollId}, ${number}, ${sealed})`.execute(query)
  }
  await sql`
    insert into payroll_transactions (partner_id, payroll_id, position, end_to_end_id)
    select ${partnerId}::uuid, ${payrollId}::uuid, position - 1, id
    from json_array_elements_text(${JSON.stringify(endToEndIds)}::json) with ordinality as asked(id, position)`.execute(
    query,
  )
}

/** Deletes a payroll with its contents and transactions. */
export async function deletePayroll({ query }: Queryable, { partnerId, id }: RowKey): Promise<void> {
  const isOfPayroll = sql`partner_id = ${partnerId} and payroll_id = ${id}`
  await sql`delete from payrolls where ${hasKey({ partnerId, id })}`.execute(query)
  await sql`delete from payroll_transactions where ${isOfPayroll}`.execute(query)
  await sql`delete from payroll_transaction_chunks where ${isOfPayroll}`.execute(query)
}

/** Returns the debtor and a range of the transactions as requested. Throws when the range is not stored. */
export async function readPayrollContents(
  { database, seal }: Context,
  key: PayrollKey,
  { first, count }: TransactionRange,
): Promise<PayrollContents> {
  const from = Math.floor(first / TRANSACTIONS_PER_CHUNK)
  const to = Math.floor((first + count - 1) / TRANSACTIONS_PER_CHUNK)
  const { rows: chunks } = await sql<SealedTransactionChunk>`
    select number, content_sealed as sealed from payroll_transaction_chunks
    where partner_id = ${key.partnerId} and payroll_id = ${key.payrollId} and number between ${from} and ${to}
    order by number`.execute(database.query)
  const opened: PayrollContents[] = []
  for (const { number, sealed } of chunks) {
    // Whatever the seal opens was written by sealPayrollContents.
    opened.push(JSON.parse(seal.open(sealed, transactionChunkPurpose(key, number))))
    await breathe()
  }
  const skipped = from * TRANSACTIONS_PER_CHUNK
  const transactions = opened.flatMap((chunk) => chunk.transactions).slice(first - skipped, first - skipped + count)
  const [head] = opened
  if (head === undefined || transactions.length !== count) {
    throw new Error(`Payroll ${key.payrollId} does not hold ${count} transactions from position ${first}`)
  }
  return { from: head.from, purposeCode: head.purposeCode, transactions }
}

export function sealPayrollTerms(
  seal: Seal,
  payroll: RowKey,
  { total: { minor, currency }, ...terms }: PayrollTerms,
): Buffer {
  const plain = { ...terms, total: { minor: minor.toString(), currency } }
  return seal.seal(JSON.stringify(plain), payrollPurpose(payroll))
}

export function openPayrollTerms(seal: Seal, payroll: RowKey, sealed: Buffer): PayrollTerms {
  const { total, ...terms } = JSON.parse(seal.open(sealed, payrollPurpose(payroll)))
  return { ...terms, total: { minor: BigInt(total.minor), currency: total.currency } }
}

export async function findPayrollTerms(
  { database, seal }: Context,
  payroll: RowKey,
): Promise<PayrollTerms | undefined> {
  const { rows } = await sql<{ sealed: Buffer }>`
    select terms_sealed as sealed from payrolls where ${hasKey(payroll)}`.execute(database.query)
  const [row] = rows
  return row && openPayrollTerms(seal, payroll, row.sealed)
}

/**
 * Holds the id until the transaction ends. A commit goes on at the database when its process has lost the connection, and
 * its rows are invisible until then.
 */
export async function lockPayrollId({ query }: Queryable, { id }: Pick<RowKey, 'id'>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`.execute(query)
}

export async function findPayroll(database: Queryable, { partnerId, id }: RowKey): Promise<Payroll | undefined> {
  return await payrollTables(database)
    .selectFrom('payrolls')
    .select(PAYROLL)
    .where(hasKey({ partnerId, id }))
    .executeTakeFirst()
}

const DUPLICATE_WITHIN = { hours: 24 }

/** Until the transaction ends, an equal payroll waits, which would otherwise not see this one. */
export async function lockContentDigest(
  { query }: Queryable,
  { partnerId }: Pick<RowKey, 'partnerId'>,
  digest: string,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${partnerId} ${digest}`}, 0))`.execute(query)
}

/** Stores the content digest of a new payroll; returns an equal one of the last 24 hours that is neither rejected nor cancelled. */
export async function recordContentDigest(
  transaction: Queryable,
  { partnerId, id, createdAt }: RowKey & Pick<Payroll, 'createdAt'>,
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
