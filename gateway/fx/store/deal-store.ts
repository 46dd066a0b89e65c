/** Every query that inserts or reads deals. */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Context } from '../../context.ts'
import { membersOf, rowOf, type TableOf } from '../../platform/database/columns.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import { CLOSED_STATES, type Deal, type DealKey, type DealState, dealPurpose, type PayoutTerms } from './deal.ts'
import { type ExchangeMembers, exchangeMembers, withExchange } from './exchange-members.ts'

/** A deal as its table has it: what it exchanges as flat columns, with its encrypted terms and its schedule. */
type StoredDeal = Omit<Deal, 'quote' | 'cost' | 'returned'> &
  ExchangeMembers & {
    readonly returnedMinor: bigint | null
    readonly termsSealed: Buffer
    readonly notifyAt: Temporal.Instant | null
    readonly leaseUntil: Temporal.Instant | null
  }

export type DealTables = { fx_deals: TableOf<StoredDeal> }

export const dealTables = (database: Queryable): Kysely<DealTables> => database.query.withTables<DealTables>()

/** A new deal; `dueAt` is when the sweep takes over if the process that inserts it dies. */
export type NewDeal = Deal & { readonly dueAt: Temporal.Instant }

/** Inserts a deal with its encrypted terms; false when its quote already has one. */
export async function insertDeal({ database, seal }: Context, deal: NewDeal, terms: PayoutTerms): Promise<boolean> {
  // Programs of the release before parse a payment date (docs/compatibility.md).
  const termsText = JSON.stringify({ ...terms, paymentDate: null })
  const { quote, cost, returned: _none, ...members } = deal
  const termsSealed = seal.seal(termsText, dealPurpose(deal))
  const { numInsertedOrUpdatedRows } = await dealTables(database)
    .insertInto('fx_deals')
    .values(rowOf({ ...members, ...exchangeMembers({ held: quote, cost }), termsSealed }))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Finds one deal; `lock` holds the row lock until the transaction ends. */
export async function findDealById(
  database: Queryable,
  key: DealKey,
  { lock = false } = {},
): Promise<Deal | undefined> {
  const found = selectDeals(database).where(hasKey(key))
  const row = await (lock ? found.forUpdate() : found).executeTakeFirst()
  return row && dealOf(row)
}

export async function findDealOfPayment(
  database: Queryable,
  { partnerId, paymentId }: { readonly partnerId: string; readonly paymentId: string },
): Promise<Deal | undefined> {
  const row = await selectDeals(database)
    .where('partner_id', '=', partnerId)
    .where('payment_id', '=', paymentId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && dealOf(row)
}

/** The deal that booked a quote. */
export async function findDealByQuote(
  database: Queryable,
  { partnerId, quoteId }: Pick<Deal, 'partnerId' | 'quoteId'>,
): Promise<Deal | undefined> {
  const found = selectDeals(database).where('partner_id', '=', partnerId).where('quote_id', '=', quoteId)
  const row = await found.executeTakeFirst()
  return row && dealOf(row)
}

/** The decrypted terms of a deal that exists. */
export async function getPayoutTerms({ database, seal }: Context, key: DealKey): Promise<PayoutTerms> {
  const row = await dealTables(database)
    .selectFrom('fx_deals')
    .select('terms_sealed')
    .where(hasKey(key))
    .executeTakeFirstOrThrow()
  return JSON.parse(seal.open(row.terms_sealed, dealPurpose(key))) as PayoutTerms
}

/** As literals: the index of open deals has them. */
const IS_OPEN = sql<boolean>`state not in (${sql.join(CLOSED_STATES.map((state) => sql.lit(state)))})`

/** Deals that are not closed, oldest change first, across partners; for operators. */
export async function listOpenDeals(database: Queryable, limit: number): Promise<readonly Deal[]> {
  const rows = await selectDeals(database).where(IS_OPEN).orderBy('changed_at').limit(limit).execute()
  return rows.map(dealOf)
}

/** Which of these deals the database holds, of whatever partner; for operators. */
export async function listKnownDealIds(database: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await dealTables(database)
    .selectFrom('fx_deals')
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Finds one deal of any partner; for operators. */
export async function findDealOfAnyPartner(database: Queryable, id: string): Promise<Deal | undefined> {
  const row = await selectDeals(database).where('id', '=', id).executeTakeFirst()
  return row && dealOf(row)
}

/** Counts the deals of each open state, with the time of the oldest last change. */
export async function countOpenDeals(
  database: Queryable,
): Promise<readonly { readonly state: DealState; readonly count: bigint; readonly oldest: Temporal.Instant }[]> {
  return await dealTables(database)
    .selectFrom('fx_deals')
    .select(({ fn }) => [
      'state',
      fn.countAll<bigint>().as('count'),
      sql<Temporal.Instant>`min(changed_at)`.as('oldest'),
    ])
    .where(IS_OPEN)
    .groupBy('state')
    .execute()
}

function selectDeals(database: Queryable) {
  return dealTables(database).selectFrom('fx_deals').selectAll()
}

export function dealOf(row: Selectable<DealTables['fx_deals']>): Deal {
  const { held: quote, ...stored } = withExchange(membersOf(row))
  const { termsSealed: _sealed, notifyAt: _notify, leaseUntil: _lease, returnedMinor, ...deal } = stored
  const returned = returnedMinor === null ? null : { minor: returnedMinor, currency: quote.buy.currency }
  return { ...deal, quote, returned }
}
