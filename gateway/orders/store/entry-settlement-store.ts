/** Holds the queries on payments that await an entry on their account and on the reads of such entries. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { KeyedEntry } from '../match/match-entries.ts'
import { isPartnerPayment, type PartnerPayment, type Payment } from '../payment.ts'
import { PAYMENT_COLUMNS, paymentOf, paymentTables } from './payment-store.ts'

/** The account from which a payment is made. */
export type DebtorAccount = Pick<Payment, 'partnerId' | 'bic' | 'debtorBban'>

/** The maximum number of payments of one account per read. */
const AWAITING_MAX = 5_000

/**
 * Claims the next read of an account's entries without the user; returns false when another is nearer than the
 * distance. A read further ahead stems from before the sandbox clock was set back; one just ahead from a worker that
 * started a moment later.
 */
export async function claimEntryRead(
  database: Database<unknown>,
  account: DebtorAccount,
  times: { readonly now: Temporal.Instant; readonly distance: { readonly hours: number } },
): Promise<boolean> {
  const since = times.now.subtract(times.distance).toString()
  const until = times.now.add(times.distance).toString()
  const { rows } = await sql`
    insert into entry_reads as r (partner_id, bic, bban, read_at)
    values (${account.partnerId}, ${account.bic}, ${account.debtorBban}, ${times.now.toString()}::timestamptz)
    on conflict (partner_id, bic, bban) do update set read_at = excluded.read_at
      where r.read_at <= ${since}::timestamptz or r.read_at > ${until}::timestamptz
    returning bban`.execute(paymentTables(database))
  return rows.length === 1
}

/**
 * Records the outcome of a read of an account's entries; returns false when the previous outcome was the same. Requires
 * a preceding `claimEntryRead`.
 */
export async function recordEntryRead(
  database: Queryable,
  account: DebtorAccount,
  outcome: 'read' | 'rejected',
): Promise<boolean> {
  const isRejected = outcome === 'rejected'
  const { rows } = await sql`
    update entry_reads set rejected = ${isRejected}
    where partner_id = ${account.partnerId} and bic = ${account.bic} and bban = ${account.debtorBban}
      and rejected <> ${isRejected}
    returning bban`.execute(paymentTables(database))
  return rows.length === 1
}

/**
 * Returns the payments in progress from an account, due before one day and due or signed since another, earliest first.
 */
export async function listPaymentsAwaitingEntry(
  database: Database<unknown>,
  account: DebtorAccount,
  days: { readonly from: Temporal.PlainDate; readonly before: Temporal.PlainDate },
): Promise<readonly PartnerPayment[]> {
  const rows = await paymentTables(database)
    .selectFrom('payments')
    .select(PAYMENT_COLUMNS)
    .where('partner_id', '=', account.partnerId)
    .where('bic', '=', account.bic)
    .where('debtor_bban', '=', account.debtorBban)
    .where('status', '=', 'InProgress')
    .where('outcome', '=', 'known')
    .where('payroll_id', 'is', null)
    .where(sql<boolean>`due_date < ${days.before.toString()}::date`)
    .where(
      sql<boolean>`greatest(due_date::timestamptz, coalesce(signed_at, created_at)) >= ${days.from.toString()}::date`,
    )
    .orderBy('due_date')
    .limit(AWAITING_MAX)
    .execute()
  return rows.map(paymentOf).filter(isPartnerPayment)
}

/** Returns the entries that have not settled a payment. */
export async function withoutSettlingEntries<Entry extends Pick<KeyedEntry, 'key' | 'sharedKey'>>(
  database: Database<unknown>,
  account: DebtorAccount,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  const keys = entries.flatMap(({ key, sharedKey = key }) => [key, sharedKey])
  const { rows } = await sql<{ entry: string }>`
    select settled_by as entry from payments
    where partner_id = ${account.partnerId} and bic = ${account.bic} and debtor_bban = ${account.debtorBban}
      and settled_by = any(${keys}::text[])`.execute(paymentTables(database))
  const used = new Set(rows.map(({ entry }) => entry))
  return entries.filter(({ key, sharedKey = key }) => !used.has(key) && !used.has(sharedKey))
}
