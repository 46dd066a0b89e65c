/** Every query on the bank's account balances and booked entries. */
import type { Insertable } from 'kysely'
import { newId } from '../../../gateway/platform/ids.ts'
import type { BankTransaction } from '../context.ts'
import type { EntryPart } from '../fixture.ts'
import type { EntryTable } from '../tables.ts'

type Queries = Pick<BankTransaction, 'selectFrom' | 'insertInto' | 'updateTable'>

/** PostgreSQL permits 65 535 parameters per statement. */
const ROWS_PER_STATEMENT = 1_000

export type AccountBalance = {
  readonly bank: string
  readonly bban: string
  readonly currency: string
  readonly balance_minor: bigint
}

export async function balanceOf(queries: Queries, bank: string, bban: string): Promise<AccountBalance> {
  return await queries
    .selectFrom('accounts')
    .selectAll()
    .where('bank', '=', bank)
    .where('bban', '=', bban)
    .executeTakeFirstOrThrow()
}

export async function allBalances(queries: Queries): Promise<readonly AccountBalance[]> {
  return await queries.selectFrom('accounts').selectAll().orderBy('bank').orderBy('bban').execute()
}

export type AccountKey = Pick<AccountBalance, 'bank' | 'bban'>

/** Locks accounts until the transaction ends, always in the same order, so that two transactions cannot deadlock. */
export async function lockAccounts(
  transaction: BankTransaction,
  keys: readonly AccountKey[],
): Promise<readonly AccountBalance[]> {
  return await transaction
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
  readonly counterpartyAccount: string | null
  readonly message: string | null
  readonly reference: string | null
  readonly endToEndId?: string | null
  readonly paymentId: string | null
  /** The id that it had while pending; by default that of its payment, or its own. */
  readonly persistentId?: string
  /** The value date, where it differs from `day`. */
  readonly valueOn?: Temporal.PlainDate
  readonly parts?: readonly EntryPart[] | null
  /** The number of payments in it, when they are booked as one entry. */
  readonly batchSize?: number
}

/** Books entries on a locked account, one after the other. */
export async function bookEntries(
  queries: Queries,
  account: AccountBalance,
  postings: readonly Posting[],
): Promise<void> {
  let balance = account.balance_minor
  const rows = postings.map((posting) => {
    balance += posting.minor
    return entryRow(account, posting, balance)
  })
  await setBalance(queries, account, balance)
  for (let first = 0; first < rows.length; first += ROWS_PER_STATEMENT) {
    await queries
      .insertInto('entries')
      .values(rows.slice(first, first + ROWS_PER_STATEMENT))
      .execute()
  }
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
    counterparty_account: posting.counterpartyAccount,
    message: posting.message,
    reference: posting.reference,
    end_to_end_id: posting.endToEndId ?? null,
    payment_id: posting.paymentId,
    persistent_id: posting.persistentId ?? posting.paymentId ?? id,
    value_on: (posting.valueOn ?? posting.day).toString(),
    parts: posting.parts ? JSON.stringify(posting.parts) : null,
    batch_size: posting.batchSize ?? null,
  }
}

export async function setBalance(queries: Queries, account: AccountKey, minor: bigint): Promise<void> {
  await queries
    .updateTable('accounts')
    .set({ balance_minor: minor })
    .where('bank', '=', account.bank)
    .where('bban', '=', account.bban)
    .execute()
}
