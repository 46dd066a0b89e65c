/** Every query that inserts or reads deals. */
import { type ColumnType, type Kysely, sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import type { Money } from '../../platform/money.ts'
import {
  type Deal,
  type DealCancellationReason,
  type DealKey,
  type DealState,
  dealPurpose,
  type PayoutTerms,
} from './deal.ts'

type Instant = ColumnType<Temporal.Instant, string, string>
type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>
type MaybeText = ColumnType<string | null, string | null | undefined, string | null>

export type DealTables = {
  fx_deals: {
    partner_id: string
    id: string
    provider: string
    quote_id: string
    payment_id: string | null
    reference_code: string
    funding_country: string
    funding_date: ColumnType<Temporal.PlainDate, string, never>
    provider_quote_id: string
    fixed_side: 'buy' | 'sell'
    conversion_date: ColumnType<Temporal.PlainDate | null, string | null, never>
    cost_currency: string
    cost_minor: bigint
    sell_minor: bigint
    buy_currency: string
    buy_minor: bigint
    deadline: Instant
    terms_sealed: Buffer
    state: DealState
    reason: MaybeText
    version: number
    created_at: Instant
    changed_at: Instant
    signed_at: MaybeInstant
    conversion_id: MaybeText
    beneficiary_id: MaybeText
    payout_id: MaybeText
    returned_minor: ColumnType<bigint | null, bigint | null | undefined, bigint | null>
    outcome_unknown_until: MaybeInstant
    cancel_reason: ColumnType<
      DealCancellationReason | null,
      DealCancellationReason | null | undefined,
      DealCancellationReason | null
    >
    failing_since: MaybeInstant
    attempts: ColumnType<number, number | undefined, number>
    due_at: MaybeInstant
    unwind_at: MaybeInstant
    notify_at: MaybeInstant
    lease_until: MaybeInstant
  }
}

export const dealTables = (database: Queryable): Kysely<DealTables> => database.query.withTables<DealTables>()

/** A new deal; `dueAt` is when the sweep takes over if the process that inserts it dies. */
export type NewDeal = Deal & { readonly dueAt: Temporal.Instant }

/** Inserts a deal with its encrypted terms; false when its quote already has one. */
export async function insertDeal({ database, seal }: Context, deal: NewDeal, terms: PayoutTerms): Promise<boolean> {
  // Programs of the release before parse a payment date (docs/compatibility.md).
  const termsText = JSON.stringify({ ...terms, paymentDate: null })
  const { quote, cost } = deal
  const { numInsertedOrUpdatedRows } = await dealTables(database)
    .insertInto('fx_deals')
    .values({
      partner_id: deal.partnerId,
      id: deal.id,
      provider: deal.provider,
      quote_id: deal.quoteId,
      payment_id: deal.paymentId,
      reference_code: deal.referenceCode,
      funding_country: deal.fundingCountry,
      funding_date: deal.fundingDate.toString(),
      provider_quote_id: quote.providerQuoteId,
      fixed_side: quote.fixedSide,
      conversion_date: quote.conversionDate?.toString() ?? null,
      cost_currency: cost.currency,
      cost_minor: cost.minor,
      sell_minor: quote.sell.minor,
      buy_currency: quote.buy.currency,
      buy_minor: quote.buy.minor,
      deadline: deal.deadline.toString(),
      terms_sealed: seal.seal(termsText, dealPurpose(deal)),
      state: deal.state,
      version: deal.version,
      created_at: deal.createdAt.toString(),
      changed_at: deal.changedAt.toString(),
      due_at: deal.dueAt.toString(),
    })
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

/** Deals that are not closed, oldest change first, across partners; for operators. */
export async function listOpenDeals(database: Queryable, limit: number): Promise<readonly Deal[]> {
  const rows = await selectDeals(database)
    .where(sql<boolean>`state not in ('failed', 'cancelled', 'paid', 'refunded')`)
    .orderBy('changed_at')
    .limit(limit)
    .execute()
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
    .where(sql<boolean>`state not in ('failed', 'cancelled', 'paid', 'refunded')`)
    .groupBy('state')
    .execute()
}

function selectDeals(database: Queryable) {
  return dealTables(database).selectFrom('fx_deals').selectAll()
}

type DealRow = Awaited<ReturnType<ReturnType<typeof selectDeals>['executeTakeFirstOrThrow']>>

export function dealOf(row: DealRow): Deal {
  const money = (minor: bigint, currency: string): Money => ({ minor, currency })
  return {
    partnerId: row.partner_id,
    id: row.id,
    provider: row.provider,
    quoteId: row.quote_id,
    paymentId: row.payment_id,
    referenceCode: row.reference_code,
    fundingCountry: row.funding_country,
    fundingDate: row.funding_date,
    quote: {
      providerQuoteId: row.provider_quote_id,
      buy: money(row.buy_minor, row.buy_currency),
      sell: money(row.sell_minor, row.cost_currency),
      fixedSide: row.fixed_side,
      conversionDate: row.conversion_date,
    },
    cost: money(row.cost_minor, row.cost_currency),
    deadline: row.deadline,
    state: row.state,
    reason: row.reason,
    version: row.version,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    signedAt: row.signed_at,
    conversionId: row.conversion_id,
    beneficiaryId: row.beneficiary_id,
    payoutId: row.payout_id,
    returned: row.returned_minor === null ? null : money(row.returned_minor, row.buy_currency),
    cancelReason: row.cancel_reason,
    failingSince: row.failing_since,
    attempts: row.attempts,
    outcomeUnknownUntil: row.outcome_unknown_until,
    dueAt: row.due_at,
    unwindAt: row.unwind_at,
  }
}
