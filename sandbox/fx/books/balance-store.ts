/** Every query on balances and the changes to them. */
import { newId } from '../../../gateway/platform/ids.ts'
import type { BooksTransaction } from '../context.ts'
import type { Transaction } from '../tables.ts'
import { insertRow } from './rows.ts'

export type BalanceChange = {
  readonly currency: string
  /** Negative for a debit. */
  readonly minor: bigint
  readonly entity: { readonly type: Transaction['entity_type']; readonly id: string; readonly reference: string }
  readonly action: Transaction['action']
  readonly at: Temporal.Instant
}

export async function changeBalance(books: BooksTransaction, change: BalanceChange): Promise<Transaction> {
  const { currency, minor, entity, action, at } = change
  return await insertRow(books, 'transactions', {
    id: newId(),
    currency,
    amount_minor: minor,
    balance_minor: (await balanceOf(books, currency)) + minor,
    entity_type: entity.type,
    entity_id: entity.id,
    entity_reference: entity.reference,
    action,
    created_at: at,
  })
}

/** In minor units; zero for a currency without any change. */
export async function balanceOf(books: BooksTransaction, currency: string): Promise<bigint> {
  const latest = await books
    .selectFrom('transactions')
    .select('balance_minor')
    .where('currency', '=', currency)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return latest?.balance_minor ?? 0n
}
