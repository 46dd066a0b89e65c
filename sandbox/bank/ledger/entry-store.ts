/** Every read-only query on the bank's booked entries. */
import { type Selectable, sql } from 'kysely'
import type { BankTransaction } from '../context.ts'
import type { Account } from '../fixture.ts'
import type { EntryTable } from '../tables.ts'

type Queries = Pick<BankTransaction, 'selectFrom'>

export type Entry = Selectable<EntryTable>

/** The entries between two days, inclusive, that are older than the cursor. */
export type Period = {
  readonly from: Temporal.PlainDate
  readonly to: Temporal.PlainDate
  readonly after: EntryCursor | null
}

export type EntryCursor = { readonly day: Temporal.PlainDate; readonly position: bigint }

/** Booked entries of a period, newest first. */
export async function entriesBetween(
  queries: Queries,
  account: Pick<Account, 'bic' | 'bban'>,
  { from, to, after }: Period,
  rowsMax: number,
): Promise<readonly Entry[]> {
  let query = queries
    .selectFrom('entries')
    .selectAll()
    .where('bank', '=', account.bic)
    .where('bban', '=', account.bban)
    .where(sql<boolean>`booked_on between ${from.toString()}::date and ${to.toString()}::date`)
    .orderBy('booked_on', 'desc')
    .orderBy('position', 'desc')
    .limit(rowsMax)
  if (after !== null) {
    query = query.where(
      sql<boolean>`(booked_on, position) < (${after.day.toString()}::date, ${after.position}::bigint)`,
    )
  }
  return await query.execute()
}

/** One entry of an account, by its own id or by its persistent id; of several the first. */
export async function entryById(
  queries: Queries,
  account: Pick<Account, 'bic' | 'bban'>,
  { column, id }: { readonly column: 'id' | 'persistent_id'; readonly id: string },
): Promise<Entry | undefined> {
  return await queries
    .selectFrom('entries')
    .selectAll()
    .where('bank', '=', account.bic)
    .where('bban', '=', account.bban)
    .where(column, '=', id)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
}

/** Whether money of an order is booked on the debtor's account, and was not returned. */
export async function isBooked(
  transaction: BankTransaction,
  { id, bank, debtor }: { readonly id: string; readonly bank: string; readonly debtor: string },
): Promise<boolean> {
  const { rows } = await sql<{ booked: boolean }>`
    select coalesce(sum(amount_minor), 0) <> 0 as booked from entries where bank = ${bank} and bban = ${debtor}
      and payment_id in (select ${id}::uuid union select id from bulk_transactions where bulk_id = ${id})`.execute(
    transaction,
  )
  return rows[0]?.booked === true
}
