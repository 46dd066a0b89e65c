/** The statements over the exchanges of payments: the bank is about to be asked, and when one is decided upon. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasEndToEndId } from '../end-to-end-id-condition.ts'
import type { Payment } from '../payment.ts'
import { PAYMENT, type PaymentKey, paymentOf, paymentTables } from '../payment-store.ts'
import type { ExchangeState } from './exchange.ts'

/**
 * Notes that the deal is booked and the bank is about to be asked: from then on the deadline runs, and whoever finds
 * this left behind does not know what the bank did. False when it was given up meanwhile.
 */
export async function beginAwaiting(
  database: Queryable,
  { partnerId, id }: PaymentKey,
  { recoverAt }: { readonly recoverAt: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await paymentTables(database)
    .updateTable('payments')
    .set({ exchange: 'awaited', decide_at: sql`deadline_at`, recover_at: recoverAt.toString() })
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .where('exchange', '=', 'booking')
    .where('outcome', '=', 'asked')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Notes that nothing will come of it: whoever is booking it finds that. False when it is in none of the states `from`. */
export async function markGivenUp(
  database: Queryable,
  { partnerId, id }: PaymentKey,
  from: readonly ExchangeState[],
): Promise<boolean> {
  const { numUpdatedRows } = await paymentTables(database)
    .updateTable('payments')
    .set({ exchange: 'broken' })
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .where('exchange', 'in', from)
    .where('outcome', 'in', ['asked', 'unknown'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Moves its time on while it is decided upon. False when it is not due any more, or somebody else is deciding it. */
export async function claimDecision(
  database: Database<unknown>,
  { partnerId, id, exchange, decideAt }: PaymentKey & Pick<Payment, 'exchange' | 'decideAt'>,
  until: Temporal.Instant,
): Promise<boolean> {
  const { rows } = await sql`
    update payments set decide_at = ${until.toString()}::timestamptz
    where partner_id = ${partnerId} and id = ${id} and exchange = ${exchange}
      and decide_at = ${decideAt?.toString() ?? null}::timestamptz
    returning id`.execute(paymentTables(database))
  return rows.length === 1
}

/**
 * Sets when the exchange is looked at again, null for never, and gives the lease back. What was decided since the
 * payment was read keeps its time.
 */
export async function postponeDecision(
  database: Database<unknown>,
  { partnerId, id, exchange }: PaymentKey & Pick<Payment, 'exchange'>,
  decideAt: Temporal.Instant | null,
): Promise<void> {
  const at = decideAt?.toString() ?? null
  await sql`
    update payments set lease_until = null,
      decide_at = case when exchange = ${exchange} then ${at}::timestamptz else decide_at end
    where partner_id = ${partnerId} and id = ${id}`.execute(paymentTables(database))
}

/** The partner's payments with exchange under an endToEndId since a time, oldest first, unless they came to nothing. */
export async function listAlike(
  database: Database<unknown>,
  { partnerId, endToEndId, since }: Pick<Payment, 'partnerId' | 'endToEndId'> & { readonly since: Temporal.Instant },
): Promise<readonly Payment[]> {
  const rows = await paymentTables(database)
    .selectFrom('payments')
    .select(PAYMENT)
    .where('partner_id', '=', partnerId)
    .where(hasEndToEndId({ partnerId, endToEndId }))
    .where('created_at', '>=', sql<Temporal.Instant>`${since.toString()}::timestamptz`)
    .where('exchange', 'is not', null)
    .where('outcome', '<>', 'void')
    .where('status', 'not in', ['Rejected', 'Cancelled'])
    .orderBy('id')
    .limit(ALIKE_MAX)
    .execute()
  return rows.map(paymentOf)
}

/** Whoever uses one endToEndId for more than these is told of the first. */
const ALIKE_MAX = 20
