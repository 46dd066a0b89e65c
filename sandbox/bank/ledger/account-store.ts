/** Every query on the bank's account balances and booked entries. */

import { type Insertable, type Selectable, sql } from 'kysely'
import { newId } from '../../../gateway/platform/ids.ts'
import { requireOne, selectRows } from '../../rows.ts'
import type { Context } from '../context.ts'
import type { Account, EntryPart } from '../fixture.ts'
import type { EntryTable, Tables } from '../tables.ts'

/** PostgreSQL permits 65 535 parameters per statement. */
const ROWS_PER_STATEMENT = 1_000

export type AccountBalance = Readonly<Tables['accounts']>

export async function balanceOf(context: Context, bank: string, bban: string): Promise<AccountBalance> {
  return requireOne({ rows: await selectRows(context, 'accounts', { bank, bban }) })
}

export async function allBalances(context: Context): Promise<readonly AccountBalance[]> {
  return await selectRows(context, 'accounts', {}, { order: ['bank', 'bban'] })
}

export type AccountKey = Pick<AccountBalance, 'bank' | 'bban'>

/** Locks accounts until the transaction ends, always in the same order, so that two transactions cannot deadlock. */
export async function lockAccounts(
  { database }: Context,
  keys: readonly AccountKey[],
): Promise<readonly AccountBalance[]> {
  return await database.query
    .selectFrom('accounts')
    .selectAll()
    .where(({ eb, or }) => or(keys.map((key) => eb('bank', '=', key.bank).and('bban', '=', key.bban))))
    .orderBy('bank')
    .orderBy('bban')
    .forUpdate()
    .execute()
}

/** A posting on an account; the amount is negative for a debit. */
export type Posting = {
  readonly minor: bigint
  readonly day: Temporal.PlainDate
  readonly at: Temporal.Instant
  readonly counterparty: string
  readonly counterpartyAccount?: string | null | undefined
  readonly message?: string | null | undefined
  readonly reference?: string | null | undefined
  readonly endToEndId?: string | null | undefined
  readonly paymentId?: string
  /** The id that it had while pending; by default that of its payment, or its own. */
  readonly persistentId?: string
  readonly parts?: readonly EntryPart[] | null | undefined
  /** The number of payments in it, when they are booked as one entry. */
  readonly batchSize?: number
}

/** Books entries on a locked account, one after the other. */
export async function bookEntries(
  context: Context,
  account: AccountBalance,
  postings: readonly Posting[],
): Promise<void> {
  const rows = entryRows(account, postings)
  await setBalance(context, account, rows.at(-1)?.balance_after_minor ?? account.balance_minor)
  for (let first = 0; first < rows.length; first += ROWS_PER_STATEMENT) {
    await context.database.query
      .insertInto('entries')
      .values(rows.slice(first, first + ROWS_PER_STATEMENT))
      .execute()
  }
  const [firstDay] = postings.map(({ day }) => day).toSorted(Temporal.PlainDate.compare)
  if (firstDay !== undefined) {
    await updateRunningBalances(context, account, firstDay)
  }
}

/**
 * Recalculates, after bookings from a day on, the balances after entries where some are of later days: in the order of
 * the statement, back-dated entries come before those.
 */
export async function updateRunningBalances(
  { database }: Context,
  { bank, bban }: AccountKey,
  firstDay: Temporal.PlainDate,
): Promise<void> {
  const ofAccount = sql`bank = ${bank} and bban = ${bban}`
  const day = sql`${firstDay.toString()}::date`
  await sql`
    update entries set balance_after_minor = running.balance
    from (
      select id, (select balance_minor from accounts where ${ofAccount}) - coalesce(sum(amount_minor) over (
        order by booked_on desc, position desc rows between unbounded preceding and 1 preceding), 0) as balance
      from entries where ${ofAccount} and booked_on >= ${day}
    ) as running
    where entries.id = running.id and balance_after_minor <> running.balance
      and exists (select from entries where ${ofAccount} and booked_on > ${day})`.execute(database.query)
}

/** Each with the balance of the account afterwards, if none is back-dated. */
export function entryRows(account: AccountBalance, postings: readonly Posting[]): readonly Insertable<EntryTable>[] {
  let balance = account.balance_minor
  return postings.map((posting) => {
    balance += posting.minor
    return entryRow(account, posting, balance)
  })
}

function entryRow(account: AccountBalance, posting: Posting, balance: bigint): Insertable<EntryTable> {
  const id = newId()
  return {
    id,
    bank: account.bank,
    bban: account.bban,
    booked_on: posting.day.toString(),
    booked_at: posting.at.toString(),
    amount_minor: posting.minor,
    currency: account.currency,
    balance_after_minor: balance,
    counterparty: posting.counterparty,
    counterparty_account: posting.counterpartyAccount ?? null,
    message: posting.message ?? null,
    reference: posting.reference ?? null,
    end_to_end_id: posting.endToEndId ?? null,
    payment_id: posting.paymentId ?? null,
    persistent_id: posting.persistentId ?? posting.paymentId ?? id,
    value_on: posting.day.toString(),
    parts: posting.parts ? JSON.stringify(posting.parts) : null,
    batch_size: posting.batchSize ?? null,
  }
}

export async function setBalance({ database }: Context, account: AccountKey, minor: bigint): Promise<void> {
  await database.query
    .updateTable('accounts')
    .set({ balance_minor: minor })
    .where('bank', '=', account.bank)
    .where('bban', '=', account.bban)
    .execute()
}

export type Entry = Selectable<EntryTable>

/** Third parties and users see no older entries. */
export const HISTORY_DAYS = 730

/** The entries between two days, inclusive, that are older than the cursor. */
export type Period = {
  readonly from: Temporal.PlainDate
  readonly to: Temporal.PlainDate
  readonly after: EntryCursor | null
}

export type EntryCursor = { readonly day: Temporal.PlainDate; readonly position: bigint }

/** Booked entries of a period, newest first. */
export async function entriesBetween(
  context: Context,
  { bic, bban }: Pick<Account, 'bic' | 'bban'>,
  { from, to, after }: Period,
  limit: number,
): Promise<readonly Entry[]> {
  const where = [sql<boolean>`booked_on between ${from.toString()}::date and ${to.toString()}::date`]
  if (after !== null) {
    where.push(sql<boolean>`(booked_on, position) < (${after.day.toString()}::date, ${after.position}::bigint)`)
  }
  const newest = { order: ['booked_on', 'position'], isDescending: true, limit } as const
  return await selectRows(context, 'entries', { bank: bic, bban }, { ...newest, where })
}

/** One entry of an account, by its own id or by its persistent id; of several the first. */
export async function entryById(
  context: Context,
  { bic, bban }: Pick<Account, 'bic' | 'bban'>,
  { column, id }: { readonly column: 'id' | 'persistent_id'; readonly id: string },
): Promise<Entry | undefined> {
  const options = { order: ['position'], limit: 1 } as const
  const [first] = await selectRows(context, 'entries', { bank: bic, bban, [column]: id }, options)
  return first
}

/** Whether money of an order is booked on the debtor's account, and was not returned. */
export async function isBooked(
  { database }: Context,
  { id, bank, debtor }: { readonly id: string; readonly bank: string; readonly debtor: string },
): Promise<boolean> {
  const { rows } = await sql<{ booked: boolean }>`
    select coalesce(sum(amount_minor), 0) <> 0 as booked from entries where bank = ${bank} and bban = ${debtor}
      and payment_id in (select ${id}::uuid union select id from bulk_transactions where bulk_id = ${id})`.execute(
    database.query,
  )
  return rows[0]?.booked === true
}
