/** Queries on approvals and their payments. */
import { type Kysely, sql } from 'kysely'
import type { ApprovalStatus } from '../../../contract/approvals.ts'
import { columnsOf, rowOf, type TableOf } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/database.ts'
import { executePrepared, type Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import type { AcknowledgedPayment } from '../payment.ts'
import { type Approval, type ApprovedPayment, approvalMayBecome } from './approval.ts'

type Tables = {
  approvals: TableOf<Omit<Approval, 'payments'> & { readonly updatedAt: Temporal.Instant }>
  approval_payments: TableOf<ApprovedPayment> & { partner_id: string; approval_id: string; position: number }
}

type Key = Pick<Approval, 'partnerId' | 'id'>

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** Called in the transaction that inserts its SCA session. Its payments are one parameter: they may be thousands. */
export async function insertApproval(transaction: Queryable, { payments, ...approval }: Approval): Promise<void> {
  await tables(transaction)
    .insertInto('approvals')
    .values(rowOf({ ...approval, updatedAt: approval.createdAt }))
    .execute()
  const key = { partnerId: approval.partnerId, approvalId: approval.id }
  const rows = payments.map((payment, position) => rowOf({ ...key, position, ...payment }))
  const columns = sql.raw(Object.keys(rows[0] ?? {}).join(', '))
  await sql`
    insert into approval_payments (${columns})
    select ${columns} from json_populate_recordset(null::approval_payments, ${JSON.stringify(rows)}::json)`.execute(
    transaction.query,
  )
}

export async function findApproval(database: Database<unknown>, key: Key): Promise<Approval | undefined> {
  const statement = tables(database)
    .selectFrom('approvals')
    .select(columnsOf('partnerId', 'id', 'consentId', 'status', 'createdAt'))
    .where(hasKey(key))
  const [row] = (await executePrepared(database, statement)).rows
  if (row === undefined) {
    return undefined
  }
  const ofPayments = tables(database)
    .selectFrom('approval_payments')
    .select(columnsOf('paymentId', 'bankPaymentId', 'orderDigest', 'partlySigned', 'basketId', 'result'))
    .where('partner_id', '=', key.partnerId)
    .where('approval_id', '=', key.id)
    .orderBy('position')
  return { ...row, payments: (await executePrepared(database, ofPayments)).rows }
}

/** The payments `p`, each with its approval `a`. */
function approvedPayments(database: Queryable) {
  return tables(database)
    .selectFrom('approval_payments as p')
    .innerJoin('approvals as a', (join) =>
      join.onRef('a.partner_id', '=', 'p.partner_id').onRef('a.id', '=', 'p.approval_id'),
    )
}

/** The baskets with one of these payments, of approvals with one of these statuses. */
export async function listBasketIds(
  database: Queryable,
  partnerId: string,
  paymentIds: readonly string[],
  statuses: readonly ApprovalStatus[],
): Promise<readonly string[]> {
  const rows = await approvedPayments(database)
    .select('p.basket_id as basketId')
    .distinct()
    .where('p.partner_id', '=', partnerId)
    .where('p.payment_id', 'in', [...paymentIds])
    .where('p.basket_id', 'is not', null)
    .where('a.status', 'in', statuses)
    .execute()
  return rows.flatMap(({ basketId }) => (basketId === null ? [] : [basketId]))
}

/** The consents under which these payments were signed, with their current ids at the bank. */
export async function listSignerConsents(
  database: Database<unknown>,
  partnerId: string,
  payments: readonly AcknowledgedPayment[],
): Promise<readonly { readonly paymentId: string; readonly consentId: string }[]> {
  const paymentIds = payments.map(({ id }) => id)
  const bankPaymentIds = payments.map(({ bankPaymentId }) => bankPaymentId)
  return await approvedPayments(database)
    .select(['p.payment_id as paymentId', 'a.consent_id as consentId'])
    .distinct()
    .where('p.partner_id', '=', partnerId)
    .where('p.payment_id', 'in', paymentIds)
    .where('p.bank_payment_id', 'in', bankPaymentIds)
    .where('p.result', '=', 'ACCEPTED')
    .execute()
}

/** Ends an approval with the result of each payment, within a transaction; returns false if it had ended before. */
export async function endApproval(
  transaction: Queryable,
  approval: Approval,
  end: {
    readonly status: ApprovalStatus
    readonly resultByPayment: ReadonlyMap<string, ApprovalStatus>
    readonly at: Temporal.Instant
  },
): Promise<boolean> {
  if (!approvalMayBecome[approval.status].includes(end.status)) {
    return false
  }
  const { numUpdatedRows } = await tables(transaction)
    .updateTable('approvals')
    .set({ status: end.status, updated_at: end.at.toString() })
    .where(hasKey(approval))
    .where('status', '=', approval.status)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) {
    return false
  }
  await sql`
    update approval_payments p set result = ended.result
    from unnest(${[...end.resultByPayment.keys()]}::uuid[], ${[...end.resultByPayment.values()]}::text[]) as ended (payment_id, result)
    where p.partner_id = ${approval.partnerId} and p.approval_id = ${approval.id} and p.payment_id = ended.payment_id`.execute(
    transaction.query,
  )
  return true
}
