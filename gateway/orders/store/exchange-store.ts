/** Holds the statements on the exchanges of payments: booking, abandoning and the time of the next decision. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey, timestamp } from '../../platform/database/sql-fragments.ts'
import type { ExchangeState } from '../exchange-state.ts'
import type { Payment } from '../payment.ts'
import { hasEndToEndId } from './payment-list-store.ts'
import { type PaymentKey, paymentOf, selectPayments } from './payment-store.ts'

/** Orders whose exchange is decided at a deadline. */
export const exchangeDeadlines = {
  table: 'payments',
  partition: 'bic',
  name: 'exchange deadlines',
  column: 'decide_at',
  time: 'business',
} as const

/**
 * Records that the deal is booked and the order is about to be submitted: the deadline starts, and recovery treats the
 * outcome at the bank as unknown. Returns false when the exchange was abandoned meanwhile.
 */
export async function recordExchangeBooked(
  { query }: Database<unknown>,
  key: PaymentKey,
  { recoverAt }: { readonly recoverAt: Temporal.Instant },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update payments set exchange = 'unsigned', decide_at = deadline_at, recover_at = ${timestamp(recoverAt)}
    where ${hasKey(key)} and exchange = 'booking' and outcome = 'in-flight'`.execute(query)
  return numAffectedRows === 1n
}

/** Records of all exchanges that are being booked that they are booked, and their orders about to be submitted. */
export async function recordBookingsAsSubmitted({ query }: Queryable): Promise<void> {
  await sql`
    update payments set exchange = 'unsigned', decide_at = deadline_at
    where exchange = 'booking' and outcome = 'in-flight'`.execute(query)
}

/**
 * Marks the exchange as abandoned, which stops a process that is booking it. Returns false when it is in none of the
 * states `from`.
 */
export async function recordExchangeAbandoned(
  { query }: Database<unknown>,
  key: PaymentKey,
  from: readonly ExchangeState[],
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update payments set exchange = 'cancelled'
    where ${hasKey(key)} and exchange = any(${[...from]}::text[]) and outcome in ('in-flight', 'unknown')`.execute(
    query,
  )
  return numAffectedRows === 1n
}

/** Leases the decision until a time. Returns false when it is not due any more or another process has leased it. */
export async function claimExchangeDecision(
  database: Database<unknown>,
  { partnerId, id, exchange, decideAt }: PaymentKey & Pick<Payment, 'exchange' | 'decideAt'>,
  until: Temporal.Instant,
): Promise<boolean> {
  const { rows } = await sql`
    update payments set decide_at = ${until.toString()}::timestamptz
    where partner_id = ${partnerId} and id = ${id} and exchange = ${exchange}
      and decide_at = ${decideAt?.toString() ?? null}::timestamptz
    returning id`.execute(database.query)
  return rows.length === 1
}

/**
 * Sets the time of the next decision, null for none, and releases the lease. A decision made since the payment was read
 * keeps its time.
 */
export async function postponeExchangeDecision(
  database: Database<unknown>,
  { partnerId, id, exchange }: PaymentKey & Pick<Payment, 'exchange'>,
  decideAt: Temporal.Instant | null,
): Promise<void> {
  const at = decideAt?.toString() ?? null
  await sql`
    update payments set lease_until = null,
      decide_at = case when exchange = ${exchange} then ${at}::timestamptz else decide_at end
    where partner_id = ${partnerId} and id = ${id}`.execute(database.query)
}

/** Returns the partner's live payments with exchange with an endToEndId since a time, oldest first. */
export async function listSimilarExchanges(
  database: Database<unknown>,
  { partnerId, endToEndId, since }: Pick<Payment, 'partnerId' | 'endToEndId'> & { readonly since: Temporal.Instant },
): Promise<readonly Payment[]> {
  const rows = await selectPayments(database)
    .where('partner_id', '=', partnerId)
    .where(hasEndToEndId({ partnerId, endToEndId }))
    .where('created_at', '>=', timestamp(since))
    .where('exchange', 'is not', null)
    .where('outcome', '<>', 'void')
    .where('status', 'not in', ['Rejected', 'Cancelled'])
    .orderBy('id')
    .limit(SIMILAR_EXCHANGES_MAX)
    .execute()
  return rows.map(paymentOf)
}

/** Limits the result for partners that reuse one endToEndId. */
const SIMILAR_EXCHANGES_MAX = 20
