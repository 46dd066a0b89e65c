/** The queries on payments that wait for an entry on their account, and on when such entries were read. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { isPartners, type PartnersPayment, type Payment } from '../payment.ts'
import { PAYMENT, paymentOf, paymentTables } from '../payment-store.ts'

/** The account from which a payment is made. */
export type DebtorAccount = Pick<Payment, 'partnerId' | 'bic' | 'debtorBban'>

/** So many payments of one account are looked at in one reading. */
const AWAITING_MAX = 5_000

/**
 * Takes the next unattended reading of an account's entries; false when one lies nearer than the distance. One that lies
 * further ahead is from before the sandbox's clock was set back; one just ahead is a worker's who looked a moment later.
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
 * Notes how a reading of an account's entries went; false when the one before went the same way. To be called after
 * `claimEntryRead`.
 */
export async function noteEntryRead(
  database: Queryable,
  account: DebtorAccount,
  how: 'read' | 'refused',
): Promise<boolean> {
  const isRefused = how === 'refused'
  const { rows } = await sql`
    update entry_reads set refused = ${isRefused}
    where partner_id = ${account.partnerId} and bic = ${account.bic} and bban = ${account.debtorBban}
      and refused <> ${isRefused}
    returning bban`.execute(paymentTables(database))
  return rows.length === 1
}

/** The payments from an account that are in progress, were due before a day and due or signed since another, longest due first. */
export async function listAwaitingEntry(
  database: Database<unknown>,
  account: DebtorAccount,
  days: { readonly from: Temporal.PlainDate; readonly before: Temporal.PlainDate },
): Promise<readonly PartnersPayment[]> {
  const rows = await paymentTables(database)
    .selectFrom('payments')
    .select(PAYMENT)
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
  return rows.map(paymentOf).filter(isPartners)
}

/** Those of the account's entries that have settled no payment. */
export async function freeOf<Entry extends { readonly key: string }>(
  database: Database<unknown>,
  account: DebtorAccount,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  const keys = entries.map(({ key }) => key)
  const { rows } = await sql<{ entry: string }>`
    select settled_by as entry from payments
    where partner_id = ${account.partnerId} and bic = ${account.bic} and debtor_bban = ${account.debtorBban}
      and settled_by = any(${keys}::text[])`.execute(paymentTables(database))
  const used = new Set(rows.map(({ entry }) => entry))
  return entries.filter(({ key }) => !used.has(key))
}
