/** Every query on baskets, and on which payments lie in them. */
import type { ColumnType, Kysely } from 'kysely'
import type { HeldPayment } from '../../orders/payment.ts'
import type { Database } from '../../platform/database/database.ts'
import { BASKET_STATES, type Basket, type BasketState, basketMayBecome } from './basket.ts'

type Instant = ColumnType<Temporal.Instant, string, string>
type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>

type Tables = {
  approval_baskets: {
    partner_id: string
    id: string
    bic: string
    consent_id: string
    approval_id: string
    bank_request_id: string
    bank_basket_id: ColumnType<string | null, string | null | undefined, string | null>
    state: BasketState
    created_at: Instant
    due_at: MaybeInstant
    lease_until: MaybeInstant
  }
  approval_basket_payments: { partner_id: string; basket_id: string; payment_id: string; bank_payment_id: string }
}

/** What identifies a basket. */
export type BasketKey = Pick<Basket, 'partnerId' | 'id'>
/** Which payment lies in a basket, and under which id of the bank. */
export type BasketPayment = { readonly paymentId: string; readonly bankPaymentId: string }
/** A basket in which a payment lies. */
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

/** Keeps that the bank is asked for a basket, before it is; false when somebody else has asked for it. */
export async function keepBasketAsked(
  database: Database<unknown>,
  basket: Omit<Basket, 'state' | 'bankBasketId'>,
  payments: readonly HeldPayment[],
): Promise<boolean> {
  const asked = { bank_request_id: basket.bankRequestId, state: 'asked', due_at: basket.dueAt?.toString() } as const
  return await tables(database)
    .transaction()
    .execute(async (transaction) => {
      const kept = await transaction
        .insertInto('approval_baskets')
        .values({
          partner_id: basket.partnerId,
          id: basket.id,
          bic: basket.bic,
          consent_id: basket.consentId,
          approval_id: basket.approvalId,
          created_at: basket.createdAt.toString(),
          ...asked,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['partner_id', 'id'])
            .doUpdateSet(asked)
            .where('approval_baskets.state', 'in', statesBefore('asked')),
        )
        .returning('id')
        .execute()
      if (kept.length === 0) {
        return false
      }
      await transaction
        .insertInto('approval_basket_payments')
        .values(
          payments.map(({ partnerId, id, bankPaymentId }) => ({
            partner_id: partnerId,
            basket_id: basket.id,
            payment_id: id,
            bank_payment_id: bankPaymentId,
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return true
    })
}

/** Moves a basket on; false when it was not, or no more, in a state that this may follow. */
export async function moveBasket(
  database: Database<unknown>,
  { partnerId, id }: BasketKey,
  next: {
    readonly state: BasketState
    readonly bankBasketId?: string
    readonly dueAt: Temporal.Instant | null
  },
): Promise<boolean> {
  const { numUpdatedRows } = await tables(database)
    .updateTable('approval_baskets')
    .set({
      state: next.state,
      due_at: next.dueAt?.toString() ?? null,
      lease_until: null,
      ...(next.bankBasketId === undefined ? {} : { bank_basket_id: next.bankBasketId }),
    })
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .where('state', 'in', statesBefore(next.state))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Notes that somebody has signed a basket. */
export async function noteBasketSigned(database: Database<unknown>, key: BasketKey): Promise<void> {
  await moveBasket(database, key, { state: 'signed', dueAt: null })
}

/** Says when a basket is looked after next, and gives its lease back. */
export async function setBasketDue(
  database: Database<unknown>,
  { partnerId, id }: BasketKey,
  dueAt: Temporal.Instant | null,
): Promise<void> {
  await tables(database)
    .updateTable('approval_baskets')
    .set({ due_at: dueAt?.toString() ?? null, lease_until: null })
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .execute()
}

/** One basket. */
export async function findBasket(
  database: Database<unknown>,
  { partnerId, id }: BasketKey,
): Promise<Basket | undefined> {
  return await tables(database)
    .selectFrom('approval_baskets as b')
    .select(BASKET)
    .where('b.partner_id', '=', partnerId)
    .where('b.id', '=', id)
    .executeTakeFirst()
}

/** The baskets that were made for an approval, or for one that was never kept. */
export async function listBasketsOf(
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

/** What lies, or may lie, in baskets at the bank of these payments and of those beside them, newest basket first. */
export async function listBasketsWith(
  database: Database<unknown>,
  payments: readonly HeldPayment[],
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

/** What lies in a basket. */
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
