/** Every query on the bank's account balances and booked entries. */
import { newId } from '../../../gateway/foundation/ids.ts'
import type { BankTransaction } from '../context.ts'
import type { EntryPart } from '../world-shape.ts'

type Queries = Pick<BankTransaction, 'selectFrom' | 'insertInto' | 'updateTable'>

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

type AccountKey = Pick<AccountBalance, 'bank' | 'bban'>

/** Locks payer and receiver, who may be at different banks, in one order for everybody. */
export async function lockPayingAccounts(
  transaction: BankTransaction,
  from: AccountKey,
  to: AccountKey | undefined,
): Promise<{ readonly debtor: AccountBalance | undefined; readonly creditor: AccountBalance | undefined }> {
  const locked = await transaction
    .selectFrom('accounts')
    .selectAll()
    .where(({ eb, or }) =>
      or([from, ...(to === undefined ? [] : [to])].map((key) => eb('bank', '=', key.bank).and('bban', '=', key.bban))),
    )
    .orderBy('bank')
    .orderBy('bban')
    .forUpdate()
    .execute()
  const find = (key: AccountKey | undefined) => locked.find(({ bank, bban }) => bank === key?.bank && bban === key.bban)
  return { debtor: find(from), creditor: find(to) }
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
}

/** Books on an account that is locked. */
export async function bookEntry(queries: Queries, account: AccountBalance, posting: Posting): Promise<void> {
  const balance = account.balance_minor + posting.minor
  const id = newId()
  await setBalance(queries, account, balance)
  await queries
    .insertInto('entries')
    .values({
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
    })
    .execute()
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
