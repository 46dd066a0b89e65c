/** Every query on the bank's account balances and booked entries. */
import type { Insertable } from 'kysely'
import { newId } from '../../../gateway/platform/ids.ts'
import type { BankTransaction } from '../bank-context.ts'
import type { EntryPart } from '../fixture.ts'
import type { EntryTable } from '../tables.ts'

type Queries = Pick<BankTransaction, 'selectFrom' | 'insertInto' | 'updateTable'>

/** A statement takes 65 535 values. */
const ROWS_PER_STATEMENT = 1_000

export type AccountBalance = {
  readonly bank: string
  readonly bban: string
  readonly currency: string
  readonly balance_minor: bigint
}

/** The balance of one account. */
export async function balanceOf(queries: Queries, bank: string, bban: string): Promise<AccountBalance> {
  return await queries
    .selectFrom('accounts')
    .selectAll()
    .where('bank', '=', bank)
    .where('bban', '=', bban)
    .executeTakeFirstOrThrow()
}

/** Every balance there is. */
export async function allBalances(queries: Queries): Promise<readonly AccountBalance[]> {
  return await queries.selectFrom('accounts').selectAll().orderBy('bank').orderBy('bban').execute()
}

/** Reads accounts, in one order for everybody, and keeps others from changing them until the transaction ends. */
export async function lockAccounts(
  transaction: BankTransaction,
  bank: string,
  bbans: readonly string[],
): Promise<readonly AccountBalance[]> {
  return await transaction
    .selectFrom('accounts')
    .selectAll()
    .where('bank', '=', bank)
    .where('bban', 'in', [...bbans])
    .orderBy('bban')
    .forUpdate()
    .execute()
}

export type AccountKey = Pick<AccountBalance, 'bank' | 'bban'>

/** Locks payer and receiver, who may be at different banks, in one order for everybody. */
export async function lockPayingAccounts(
  transaction: BankTransaction,
  from: AccountKey,
  to: AccountKey | undefined,
): Promise<{ readonly debtor: AccountBalance | undefined; readonly creditor: AccountBalance | undefined }> {
  const locked = await lockAccountsAnywhere(transaction, [from, ...(to === undefined ? [] : [to])])
  const find = (key: AccountKey | undefined) => locked.find(({ bank, bban }) => bank === key?.bank && bban === key.bban)
  return { debtor: find(from), creditor: find(to) }
}

/** Locks accounts of whatever banks, in one order for everybody. */
export async function lockAccountsAnywhere(
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

/** What is booked on an account; the amount is negative when money leaves it. */
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
  /** What it was known by before; that of its payment, or its own, unless told otherwise. */
  readonly lastingId?: string
  /** The day on which it bears interest, where that is not `day`. */
  readonly valueOn?: Temporal.PlainDate
  readonly parts?: readonly EntryPart[] | null
  /** How many payments it stands for, when they are booked as one line. */
  readonly batchSize?: number
}

/** Books on an account that is locked. */
export async function bookEntry(queries: Queries, account: AccountBalance, posting: Posting): Promise<void> {
  await bookEntries(queries, account, [posting])
}

/** Books any number of entries on an account that is locked, one after the other. */
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
    lasting_id: posting.lastingId ?? posting.paymentId ?? id,
    value_on: (posting.valueOn ?? posting.day).toString(),
    parts: posting.parts ? JSON.stringify(posting.parts) : null,
    batch_size: posting.batchSize ?? null,
  }
}

export async function setBalance(
  queries: Queries,
  account: Pick<AccountBalance, 'bank' | 'bban'>,
  minor: bigint,
): Promise<boolean> {
  const result = await queries
    .updateTable('accounts')
    .set({ balance_minor: minor })
    .where('bank', '=', account.bank)
    .where('bban', '=', account.bban)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
