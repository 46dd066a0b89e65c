/** Holds the queries on the sealed chunks of payrolls. */
import type { Kysely } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { PayrollKey } from '../payroll-order.ts'

type Tables = {
  payroll_transaction_chunks: { partner_id: string; payroll_id: string; number: number; content_sealed: Buffer }
}

/** A stored chunk. */
export type SealedTransactionChunk = { readonly number: number; readonly sealed: Buffer }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** Inserts a chunk of a payroll. */
export async function insertTransactionChunk(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
  { number, sealed }: SealedTransactionChunk,
): Promise<void> {
  await tables(database)
    .insertInto('payroll_transaction_chunks')
    .values({ partner_id: partnerId, payroll_id: payrollId, number, content_sealed: sealed })
    .execute()
}

/** Returns the chunks from one number to another, both inclusive, in ascending order. */
export async function listTransactionChunks(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
  numbers: { readonly from: number; readonly to: number },
): Promise<readonly SealedTransactionChunk[]> {
  return await tables(database)
    .selectFrom('payroll_transaction_chunks')
    .select(['number', 'content_sealed as sealed'])
    .where('partner_id', '=', partnerId)
    .where('payroll_id', '=', payrollId)
    .where('number', '>=', numbers.from)
    .where('number', '<=', numbers.to)
    .orderBy('number')
    .execute()
}

/** Deletes the chunks of a payroll. */
export async function deleteTransactionChunks(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
): Promise<void> {
  await tables(database)
    .deleteFrom('payroll_transaction_chunks')
    .where('partner_id', '=', partnerId)
    .where('payroll_id', '=', payrollId)
    .execute()
}
