/** Every query on cancellations of payrolls; their parts are cancellations. */
import type { ColumnType, Kysely } from 'kysely'
import type { PayrollCancellation } from '../../cancellations/payrolls/payroll-cancellation.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'

type Tables = {
  payroll_cancellations: {
    partner_id: string
    id: string
    payroll_id: string
    consent_id: string
    verdict: PayrollCancellation['verdict']
    reason: string | null
    created_at: ColumnType<Temporal.Instant, string, never>
  }
  cancellations: { partner_id: string; payroll_cancellation_id: string | null; status: string }
}

/** A cancellation of a payroll without its parts. */
export type WholeCancellation = Omit<PayrollCancellation, 'parts'>

type Key = Pick<PayrollCancellation, 'partnerId' | 'id'>

const WHOLE = [
  'w.partner_id as partnerId',
  'w.id',
  'w.payroll_id as payrollId',
  'w.consent_id as consentId',
  'w.verdict',
  'w.reason',
  'w.created_at as createdAt',
] as const

const OPEN = ['ASKED', 'AUTHORIZATION_REQUIRED']

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** Keeps the wish, in the transaction that keeps its parts. */
export async function insertWhole(transaction: Queryable, whole: WholeCancellation): Promise<void> {
  await tables(transaction)
    .insertInto('payroll_cancellations')
    .values({
      partner_id: whole.partnerId,
      id: whole.id,
      payroll_id: whole.payrollId,
      consent_id: whole.consentId,
      verdict: whole.verdict,
      reason: whole.reason,
      created_at: whole.createdAt.toString(),
    })
    .execute()
}

/** One cancellation of a payroll. */
export async function findWhole(database: Queryable, key: Key): Promise<WholeCancellation | undefined> {
  return await tables(database)
    .selectFrom('payroll_cancellations as w')
    .select(WHOLE)
    .where('w.partner_id', '=', key.partnerId)
    .where('w.id', '=', key.id)
    .executeTakeFirst()
}

/** The cancellation of a payroll of which a part has not ended. */
export async function findOpenWhole(
  database: Queryable,
  { partnerId, payrollId }: Pick<PayrollCancellation, 'partnerId' | 'payrollId'>,
): Promise<WholeCancellation | undefined> {
  return await tables(database)
    .selectFrom('payroll_cancellations as w')
    .select(WHOLE)
    .where('w.partner_id', '=', partnerId)
    .where('w.payroll_id', '=', payrollId)
    .where((where) =>
      where.exists(
        where
          .selectFrom('cancellations as c')
          .select('c.status')
          .where('c.partner_id', '=', partnerId)
          .whereRef('c.payroll_cancellation_id', '=', 'w.id')
          .where('c.status', 'in', OPEN),
      ),
    )
    .orderBy('w.id', 'desc')
    .executeTakeFirst()
}

/** Forgets a wish of which the bank certainly knows nothing; its parts are forgotten before. */
export async function deleteWhole(database: Queryable, key: Key): Promise<void> {
  await tables(database)
    .deleteFrom('payroll_cancellations')
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .execute()
}
