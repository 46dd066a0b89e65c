/** Every query on the bank's signing baskets and their payments. */
import type { Insertable, Updateable } from 'kysely'
import type { BankTransaction, Queries } from '../context.ts'
import type { BasketTable } from './basket.ts'
import { type Basket, isWaiting } from './basket.ts'
import type { Payment } from './payment.ts'

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

export async function lockBasket(transaction: BankTransaction, id: string): Promise<Basket | undefined> {
  return await transaction.selectFrom('baskets').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function updateBasket(queries: Queries, id: string, change: Updateable<BasketTable>): Promise<void> {
  await queries.updateTable('baskets').set(change).where('id', '=', id).execute()
}

export async function isPaymentInBasket(queries: Queries, { bank, basket_id: id }: Payment): Promise<boolean> {
  const basket = id === null ? undefined : await basketById(queries, bank, id)
  return basket !== undefined && isWaiting(basket)
}

export async function removePaymentsFromBasket(queries: Queries, id: string): Promise<void> {
  await queries.updateTable('payments').set({ basket_id: null }).where('basket_id', '=', id).execute()
}

/** The payments in a basket, in the order of their initiation. */
export async function paymentsIn(queries: Queries, basketId: string): Promise<readonly Payment[]> {
  return await statementOfPayments(queries, basketId).execute()
}

/** The same, locked until the transaction ends. */
export async function lockPaymentsIn(transaction: BankTransaction, basketId: string): Promise<readonly Payment[]> {
  return await statementOfPayments(transaction, basketId).forUpdate().execute()
}

function statementOfPayments(queries: Queries, basketId: string) {
  return queries.selectFrom('payments').selectAll().where('basket_id', '=', basketId).orderBy('position')
}

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

export async function addPaymentsToBasket(
  queries: Queries,
  basketId: string,
  paymentIds: readonly string[],
): Promise<void> {
  await queries
    .updateTable('payments')
    .set({ basket_id: basketId })
    .where('id', 'in', [...paymentIds])
    .execute()
}

/** Deletes a basket and its authorisations, and releases its payments. */
export async function deleteBasket(transaction: BankTransaction, id: string): Promise<void> {
  await removePaymentsFromBasket(transaction, id)
  await transaction.deleteFrom('authorisations').where('resource_id', '=', id).execute()
  await transaction.deleteFrom('baskets').where('id', '=', id).execute()
}
