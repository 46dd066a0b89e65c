/** Every query on the bank's signing baskets and their payments, but those of rows by their id. */
import type { Context } from '../context.ts'
import { type Basket, isWaiting } from './basket.ts'
import type { Payment } from './payment.ts'

export async function basketById({ database }: Context, bank: string, id: string): Promise<Basket | undefined> {
  return await database.query
    .selectFrom('baskets')
    .selectAll()
    .where('id', '=', id)
    .where('bank', '=', bank)
    .executeTakeFirst()
}

export async function isPaymentInBasket(context: Context, { bank, basket_id: id }: Payment): Promise<boolean> {
  const basket = id === null ? undefined : await basketById(context, bank, id)
  return basket !== undefined && isWaiting(basket)
}

export async function removePaymentsFromBasket({ database }: Context, id: string): Promise<void> {
  await database.query.updateTable('payments').set({ basket_id: null }).where('basket_id', '=', id).execute()
}

/** The payments in a basket, in the order of their initiation. */
export async function paymentsIn(context: Context, basketId: string): Promise<readonly Payment[]> {
  return await statementOfPayments(context, basketId).execute()
}

/** The same, locked until the transaction ends. */
export async function lockPaymentsIn(context: Context, basketId: string): Promise<readonly Payment[]> {
  return await statementOfPayments(context, basketId).forUpdate().execute()
}

function statementOfPayments({ database }: Context, basketId: string) {
  return database.query.selectFrom('payments').selectAll().where('basket_id', '=', basketId).orderBy('position')
}

export async function lockPaymentsByIds(
  { database }: Context,
  bank: string,
  ids: readonly string[],
): Promise<readonly Payment[]> {
  return await database.query
    .selectFrom('payments')
    .selectAll()
    .where('bank', '=', bank)
    .where('id', 'in', [...ids])
    .orderBy('position')
    .forUpdate()
    .execute()
}

export async function addPaymentsToBasket(
  { database }: Context,
  basketId: string,
  paymentIds: readonly string[],
): Promise<void> {
  await database.query
    .updateTable('payments')
    .set({ basket_id: basketId })
    .where('id', 'in', [...paymentIds])
    .execute()
}

/** Deletes a basket and its authorisations, and releases its payments. */
export async function deleteBasket(context: Context, id: string): Promise<void> {
  const { query } = context.database
  await removePaymentsFromBasket(context, id)
  await query.deleteFrom('authorisations').where('resource_id', '=', id).execute()
  await query.deleteFrom('baskets').where('id', '=', id).execute()
}
