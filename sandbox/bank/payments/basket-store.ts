/** Every query on the bank's signing baskets and their payments, but those of rows by their id. */
import { sql } from 'kysely'
import { findRow, selectRows } from '../../rows.ts'
import type { Context } from '../context.ts'
import { isWaiting } from './basket.ts'
import type { Payment } from './payment.ts'

export async function isPaymentInBasket(context: Context, { bank, basket_id: id }: Payment): Promise<boolean> {
  const basket = id === null ? undefined : await findRow(context, 'baskets', { id, bank })
  return basket !== undefined && isWaiting(basket)
}

export async function removePaymentsFromBasket({ database }: Context, id: string): Promise<void> {
  await database.query.updateTable('payments').set({ basket_id: null }).where('basket_id', '=', id).execute()
}

/** The payments in a basket, in the order of their initiation; `lock` holds them until the transaction ends. */
export async function paymentsIn(
  context: Context,
  basketId: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<readonly Payment[]> {
  return await selectRows(context, 'payments', { basket_id: basketId }, { order: ['position'], lock })
}

export async function lockPaymentsByIds(
  context: Context,
  bank: string,
  ids: readonly string[],
): Promise<readonly Payment[]> {
  const where = [sql<boolean>`id = any(${ids}::uuid[])`]
  return await selectRows(context, 'payments', { bank }, { where, order: ['position'], lock: true })
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
