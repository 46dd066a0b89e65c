/** Every query on the bank's signing baskets, and on which payments lie in them. */
import type { Insertable, Updateable } from 'kysely'
import type { BankTransaction } from '../bank-context.ts'
import type { Payment } from '../payments/payment.ts'
import type { BasketTable } from './basket.ts'
import { type Basket, isWaiting } from './basket.ts'

type Queries = Pick<BankTransaction, 'selectFrom' | 'insertInto' | 'updateTable' | 'deleteFrom'>

export async function insertBasket(queries: Queries, row: Insertable<BasketTable>): Promise<Basket> {
  return await queries.insertInto('baskets').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function basketById(queries: Queries, bank: string, id: string): Promise<Basket | undefined> {
  return await queries
    .selectFrom('baskets')
    .selectAll()
    .where('id', '=', id)
    .where('bank', '=', bank)
    .executeTakeFirst()
}

/** Reads a basket and keeps others from changing it until the transaction ends. */
export async function lockBasket(transaction: BankTransaction, id: string): Promise<Basket | undefined> {
  return await transaction.selectFrom('baskets').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function updateBasket(queries: Queries, id: string, change: Updateable<BasketTable>): Promise<void> {
  await queries.updateTable('baskets').set(change).where('id', '=', id).execute()
}

/** Whether a payment lies in a basket that is still to be signed. */
export async function isTied(queries: Queries, { bank, basket_id: id }: Payment): Promise<boolean> {
  const basket = id === null ? undefined : await basketById(queries, bank, id)
  return basket !== undefined && isWaiting(basket)
}

/** Takes everything out of a basket. */
export async function untie(queries: Queries, id: string): Promise<void> {
  await queries.updateTable('payments').set({ basket_id: null }).where('basket_id', '=', id).execute()
}

/** The payments in a basket, in the order in which they were ordered. */
export async function paymentsIn(queries: Queries, basketId: string): Promise<readonly Payment[]> {
  return await queries
    .selectFrom('payments')
    .selectAll()
    .where('basket_id', '=', basketId)
    .orderBy('position')
    .execute()
}

/** The same, kept from changing until the transaction ends. */
export async function lockPaymentsIn(transaction: BankTransaction, basketId: string): Promise<readonly Payment[]> {
  return await transaction
    .selectFrom('payments')
    .selectAll()
    .where('basket_id', '=', basketId)
    .orderBy('position')
    .forUpdate()
    .execute()
}

/** Locks payments of a bank by their ids. */
export async function lockPaymentsByIds(
  transaction: BankTransaction,
  bank: string,
  ids: readonly string[],
): Promise<readonly Payment[]> {
  return await transaction
    .selectFrom('payments')
    .selectAll()
    .where('bank', '=', bank)
    .where('id', 'in', [...ids])
    .orderBy('position')
    .forUpdate()
    .execute()
}

/** Lays payments into a basket. */
export async function layInto(queries: Queries, basketId: string, paymentIds: readonly string[]): Promise<void> {
  await queries
    .updateTable('payments')
    .set({ basket_id: basketId })
    .where('id', 'in', [...paymentIds])
    .execute()
}

/** Takes everything out of a basket, and removes it and what was begun of it. */
export async function deleteBasket(transaction: BankTransaction, id: string): Promise<void> {
  await untie(transaction, id)
  await transaction.deleteFrom('authorisations').where('resource_id', '=', id).execute()
  await transaction.deleteFrom('baskets').where('id', '=', id).execute()
}
