/** Queries on baskets and their payments. */
import { type ColumnType, type Kysely, sql } from 'kysely'
import { rowOf, type TableOf } from '../../../platform/database/columns.ts'
import type { Database } from '../../../platform/database/database.ts'
import { executePrepared, inTransaction } from '../../../platform/database/in-transaction.ts'
import { hasKey } from '../../../platform/database/sql-fragments.ts'
import type { AcknowledgedPayment } from '../../payment.ts'
import { BASKET_STATES, type Basket, type BasketState, basketMayBecome, isBasketAtBank } from './basket.ts'

type Tables = {
  approval_baskets: TableOf<Basket> & {
    lease_until: ColumnType<Temporal.Instant | null, string | null | undefined, string | null>
  }
  approval_basket_payments: TableOf<BasketPayment> & { partner_id: string; basket_id: string }
}

export type BasketKey = Pick<Basket, 'partnerId' | 'id'>
/** A payment in a basket, with the id that it had at the bank when it was added. */
export type BasketPayment = { readonly paymentId: string; readonly bankPaymentId: string }
/** A payment with its basket. */
export type BasketOfPayment = BasketPayment & { readonly basket: Basket }

const BASKET = [
  'b.partner_id as partnerId',
  'b.id',
  'b.bic',
  'b.consent_id as consentId',
  'b.approval_id as approvalId',
  'b.bank_request_id as bankRequestId',
  'b.bank_basket_id as bankBasketId',
  'b.state',
  'b.created_at as createdAt',
  'b.due_at as dueAt',
] as const

const tables = ({ query }: Database<unknown>): Kysely<Tables> => query.withTables<Tables>()

function statesBefore(next: BasketState): readonly BasketState[] {
  return BASKET_STATES.filter((state) => basketMayBecome[state].includes(next))
}

/** Called before the basket is created at the bank. Returns false if another request is creating it. */
export async function recordBasketRequested(
  database: Database<unknown>,
  basket: Omit<Basket, 'state' | 'bankBasketId'>,
  payments: readonly AcknowledgedPayment[],
): Promise<boolean> {
  const { bankRequestId, dueAt } = basket
  const requested = { bankRequestId, dueAt, state: 'in-flight' } as const
  return await inTransaction({ database }, async (within) => {
    const inserted = await tables(within.database)
      .insertInto('approval_baskets')
      .values(rowOf({ ...basket, ...requested }))
      .onConflict((conflict) =>
        conflict
          .columns(['partner_id', 'id'])
          .doUpdateSet(rowOf(requested))
          .where('approval_baskets.state', 'in', statesBefore('in-flight')),
      )
      .returning('id')
      .execute()
    if (inserted.length === 0) {
      return false
    }
    await sql`
      insert into approval_basket_payments (partner_id, basket_id, payment_id, bank_payment_id)
      select ${basket.partnerId}::uuid, ${basket.id}::uuid, payment_id, bank_payment_id
      from unnest(${payments.map(({ id }) => id)}::uuid[], ${payments.map(({ bankPaymentId }) => bankPaymentId)}::text[])
        as p (payment_id, bank_payment_id)
      on conflict do nothing`.execute(within.database.query)
    return true
  })
}

/** Returns false if the current state does not permit the new one. */
export async function changeBasketState(
  database: Database<unknown>,
  key: BasketKey,
  next: Pick<Basket, 'state' | 'dueAt'> & { readonly bankBasketId?: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tables(database)
    .updateTable('approval_baskets')
    .set({ ...rowOf(next), lease_until: null })
    .where(hasKey(key))
    .where('state', 'in', statesBefore(next.state))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Sets when a basket is processed next, and releases its lease. */
export async function scheduleBasket(
  database: Database<unknown>,
  key: BasketKey,
  dueAt: Temporal.Instant | null,
): Promise<void> {
  await tables(database)
    .updateTable('approval_baskets')
    .set({ due_at: dueAt?.toString() ?? null, lease_until: null })
    .where(hasKey(key))
    .execute()
}

export async function findBasket(database: Database<unknown>, key: BasketKey): Promise<Basket | undefined> {
  const statement = tables(database).selectFrom('approval_baskets as b').select(BASKET).where(hasKey(key))
  return (await executePrepared(database, statement)).rows[0]
}

/** Returns the bank's id of the basket; undefined if the bank has none. */
export async function findBankBasketId(database: Database<unknown>, key: BasketKey): Promise<string | undefined> {
  const stored = await findBasket(database, key)
  return stored !== undefined && isBasketAtBank(stored) ? stored.bankBasketId : undefined
}

/** The baskets created for an approval, which itself may never have been stored. */
export async function listBasketsOfApproval(
  database: Database<unknown>,
  { partnerId, approvalId }: Pick<Basket, 'partnerId' | 'approvalId'>,
): Promise<readonly Basket[]> {
  return await tables(database)
    .selectFrom('approval_baskets as b')
    .select(BASKET)
    .where('b.partner_id', '=', partnerId)
    .where('b.approval_id', '=', approvalId)
    .execute()
}

/** All payments of those baskets that may be at the bank and contain one of these payments; newest basket first. */
export async function listBasketsWith(
  database: Database<unknown>,
  payments: readonly AcknowledgedPayment[],
): Promise<readonly BasketOfPayment[]> {
  const [first] = payments
  if (first === undefined) {
    return []
  }
  const { partnerId } = first
  const paymentIds = payments.map(({ id }) => id)
  const rows = await tables(database)
    .selectFrom('approval_baskets as b')
    .innerJoin('approval_basket_payments as p', (join) =>
      join.onRef('p.partner_id', '=', 'b.partner_id').onRef('p.basket_id', '=', 'b.id'),
    )
    .select([...BASKET, 'p.payment_id as paymentId', 'p.bank_payment_id as bankPaymentId'])
    .where('b.partner_id', '=', partnerId)
    .where('b.state', '<>', 'void')
    .where('b.id', 'in', (inBaskets) =>
      inBaskets
        .selectFrom('approval_basket_payments as with')
        .select('with.basket_id')
        .where('with.partner_id', '=', partnerId)
        .where('with.payment_id', 'in', paymentIds),
    )
    .orderBy('b.id', 'desc')
    .execute()
  return rows.map(({ paymentId, bankPaymentId, ...basket }) => ({ paymentId, bankPaymentId, basket }))
}

export async function listBasketPayments(
  database: Database<unknown>,
  { partnerId, id }: BasketKey,
): Promise<readonly BasketPayment[]> {
  return await tables(database)
    .selectFrom('approval_basket_payments as p')
    .select(['p.payment_id as paymentId', 'p.bank_payment_id as bankPaymentId'])
    .where('p.partner_id', '=', partnerId)
    .where('p.basket_id', '=', id)
    .execute()
}
