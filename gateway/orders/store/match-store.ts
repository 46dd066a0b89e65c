/** Holds the queries that match entries on an account with payments, and the reads of such entries. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { isPartnerPayment, type PartnerPayment, type Payment } from '../payment.ts'
import { paymentOf, selectPayments } from './payment-store.ts'

/** The account from which a payment is made. */
type DebtorAccount = Pick<Payment, 'partnerId' | 'bic' | 'debtorBban'>

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
    returning bban`.execute(database.query)
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
    returning bban`.execute(database.query)
  return rows.length === 1
}

/**
 * Returns the payments in progress from an account, due before one day and due or signed since another, earliest first.
 */
export async function listPaymentsAwaitingEntry(
  database: Database<unknown>,
  account: DebtorAccountNumbers,
  days: { readonly from: Temporal.PlainDate; readonly before: Temporal.PlainDate },
): Promise<readonly PartnerPayment[]> {
  const rows = await selectPayments(database)
    .where('partner_id', '=', account.partnerId)
    .where('bic', '=', account.bic)
    .where('debtor_bban', 'in', [...account.numbers])
    .where('status', '=', 'InProgress')
    .where('outcome', '=', 'known')
    .where('payroll_id', 'is', null)
    .where(sql<boolean>`due_date < ${days.before.toString()}::date`)
    .where(
      sql<boolean>`greatest(due_date, (coalesce(signed_at, created_at) at time zone 'UTC')::date) >= ${days.from.toString()}::date`,
    )
    .orderBy('due_date')
    .limit(AWAITING_MAX)
    .execute()
  return rows.map(paymentOf).filter(isPartnerPayment)
}

/** Returns the entries that have not settled a payment. */
export async function withoutSettlingEntries<Entry extends { readonly key: string; readonly sharedKey?: string }>(
  database: Database<unknown>,
  { partnerId, bic, numbers }: DebtorAccountNumbers,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  const keys = entries.flatMap(({ key, sharedKey = key }) => [key, sharedKey])
  const { rows } = await sql<{ entry: string }>`
    select settled_by as entry from payments
    where partner_id = ${partnerId} and bic = ${bic} and debtor_bban = any(${[...numbers]}::text[])
      and settled_by = any(${keys}::text[])`.execute(database.query)
  const used = new Set(rows.map(({ entry }) => entry))
  return entries.filter(({ key, sharedKey = key }) => !used.has(key) && !used.has(sharedKey))
}

/** More candidates than some hundred entries can have. */
const ROWS_MAX = 5_000

/** An account at a bank with all numbers under which payments from it are stored. */
export type DebtorAccountNumbers = Pick<Payment, 'partnerId' | 'bic'> & { readonly numbers: readonly string[] }

/** Returns live payments from an account with one of these amounts, in minor units, and a due date in the range. */
export async function listMatchCandidates(
  database: Database<unknown>,
  account: DebtorAccountNumbers,
  criteria: { readonly amounts: readonly bigint[]; readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate },
): Promise<readonly PartnerPayment[]> {
  const rows = await selectPayments(database)
    .where('partner_id', '=', account.partnerId)
    .where('bic', '=', account.bic)
    .where('debtor_bban', 'in', [...account.numbers])
    .where(sql<boolean>`amount_minor = any(${criteria.amounts.map(String)}::bigint[])`)
    .where(sql<boolean>`due_date between ${criteria.from.toString()}::date and ${criteria.to.toString()}::date`)
    .where('status', 'not in', ['Rejected', 'Cancelled'])
    .where('outcome', '<>', 'void')
    .where('payroll_id', 'is', null)
    .orderBy('due_date')
    .orderBy('id')
    .limit(ROWS_MAX)
    .execute()
  return rows.map(paymentOf).filter(isPartnerPayment)
}

/** Returns the debtor numbers of a partner's payments at a bank, with one index lookup for each. */
export async function listDebtorNumbers(
  database: Database<unknown>,
  { partnerId, bic }: Pick<Payment, 'partnerId' | 'bic'>,
): Promise<readonly string[]> {
  const { rows } = await sql<{ number: string }>`
    with recursive numbers(number) as (
      (select min(debtor_bban) from payments where partner_id = ${partnerId} and bic = ${bic})
      union all
      select (select min(debtor_bban) from payments
              where partner_id = ${partnerId} and bic = ${bic} and debtor_bban > number)
      from numbers where number is not null)
    select number from numbers where number is not null`.execute(database.query)
  return rows.map(({ number }) => number)
}

/** Both days are inclusive. */
export type DateRange = { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate }

/** Payrolls are booked on their due date or, after closed days and late signatures, within this number of days. */
const BOOKED_WITHIN_DAYS = 5

/** Payrolls signed later than this after their due date are not executed. */
const SIGNED_WITHIN = { days: 45 }

/** Returns the date ranges in which payrolls from an account may be booked, as far as they overlap the given days. */
export async function listPayrollBookingDays(
  database: Database<unknown>,
  { partnerId, bic, numbers }: DebtorAccountNumbers,
  { from, to }: DateRange,
): Promise<readonly DateRange[]> {
  const { rows } = await sql<Record<'from' | 'to', string>>`
    with days as (
      select due_date, greatest(due_date, (signed_at at time zone 'UTC')::date) + ${BOOKED_WITHIN_DAYS}::int as last
      from payments
      where partner_id = ${partnerId} and bic = ${bic} and debtor_bban = any(${[...numbers]}::text[])
        and payroll_id is not null
        and due_date between ${from.subtract(SIGNED_WITHIN).toString()}::date and ${to.toString()}::date
        and status not in ('Rejected', 'Cancelled') and outcome <> 'void')
    select distinct due_date::text as from, last::text as to from days where last >= ${from.toString()}::date`.execute(
    database.query,
  )
  return rows.map((days) => ({ from: Temporal.PlainDate.from(days.from), to: Temporal.PlainDate.from(days.to) }))
}
