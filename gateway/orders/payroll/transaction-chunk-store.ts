/** The queries on the sealed slices of payrolls. */
import type { Kysely } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { PayrollKey } from './payroll-order.ts'

type Tables = {
  payroll_slices: { partner_id: string; payroll_id: string; number: number; content_sealed: Buffer }
}

/** A slice as it is kept. */
export type SealedSlice = { readonly number: number; readonly sealed: Buffer }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** Keeps a slice of a payroll. */
export async function insertSlice(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
  { number, sealed }: SealedSlice,
): Promise<void> {
  await tables(database)
    .insertInto('payroll_slices')
    .values({ partner_id: partnerId, payroll_id: payrollId, number, content_sealed: sealed })
    .execute()
}

/** Slices by number, both ends included, in their order. */
export async function listSlices(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
  numbers: { readonly from: number; readonly to: number },
): Promise<readonly SealedSlice[]> {
  return await tables(database)
    .selectFrom('payroll_slices')
    .select(['number', 'content_sealed as sealed'])
    .where('partner_id', '=', partnerId)
    .where('payroll_id', '=', payrollId)
    .where('number', '>=', numbers.from)
    .where('number', '<=', numbers.to)
    .orderBy('number')
    .execute()
}

/** Forgets the slices of a payroll. */
export async function deleteSlices(database: Queryable, { partnerId, payrollId }: PayrollKey): Promise<void> {
  await tables(database)
    .deleteFrom('payroll_slices')
    .where('partner_id', '=', partnerId)
    .where('payroll_id', '=', payrollId)
    .execute()
}
