/** Queries on cancellations of payrolls; their parts are stored as cancellations. */
import type { ColumnType, Kysely } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { PayrollCancellation } from './payroll-cancellation.ts'

type Tables = {
  payroll_cancellations: {
    partner_id: string
    id: string
    payroll_id: string
    consent_id: string
    decision: PayrollCancellation['decision']
    reason: string | null
    created_at: ColumnType<Temporal.Instant, string, never>
  }
  cancellations: { partner_id: string; payroll_cancellation_id: string | null; status: string }
}

/** A cancellation of a payroll without its parts. */
export type PayrollCancellationRow = Omit<PayrollCancellation, 'parts'>

type Key = Pick<PayrollCancellation, 'partnerId' | 'id'>

const PAYROLL_CANCELLATION = [
  'w.partner_id as partnerId',
  'w.id',
  'w.payroll_id as payrollId',
  'w.consent_id as consentId',
  'w.decision',
  'w.reason',
  'w.created_at as createdAt',
] as const

const OPEN = ['REQUESTED', 'AUTHORIZATION_REQUIRED']

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** Called in the transaction that inserts the parts. */
export async function insertPayrollCancellation(
  transaction: Queryable,
  payrollCancellation: PayrollCancellationRow,
): Promise<void> {
  await tables(transaction)
    .insertInto('payroll_cancellations')
    .values({
      partner_id: payrollCancellation.partnerId,
      id: payrollCancellation.id,
      payroll_id: payrollCancellation.payrollId,
      consent_id: payrollCancellation.consentId,
      decision: payrollCancellation.decision,
      reason: payrollCancellation.reason,
      created_at: payrollCancellation.createdAt.toString(),
    })
    .execute()
}

export async function findPayrollCancellationRow(
  database: Queryable,
  key: Key,
): Promise<PayrollCancellationRow | undefined> {
  return await tables(database)
    .selectFrom('payroll_cancellations as w')
    .select(PAYROLL_CANCELLATION)
    .where('w.partner_id', '=', key.partnerId)
    .where('w.id', '=', key.id)
    .executeTakeFirst()
}

/** The newest cancellation of the payroll with an open part. */
export async function findOpenPayrollCancellation(
  database: Queryable,
  { partnerId, payrollId }: Pick<PayrollCancellation, 'partnerId' | 'payrollId'>,
): Promise<PayrollCancellationRow | undefined> {
  return await tables(database)
    .selectFrom('payroll_cancellations as w')
    .select(PAYROLL_CANCELLATION)
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

/** Only for a cancellation that the bank has certainly not executed; its parts are deleted before. */
export async function deletePayrollCancellationRow(database: Queryable, key: Key): Promise<void> {
  await tables(database)
    .deleteFrom('payroll_cancellations')
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .execute()
}
