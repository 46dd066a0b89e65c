/** Every query on quotes. */
import { type ColumnType, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey, timestamp } from '../../platform/database/sql-fragments.ts'
import type { IntermediaryAccount } from '../providers/beneficiary.ts'
import type { PayoutTerms } from './deal.ts'
import { type Quote, type QuoteKey, quotePurgeAt, quotePurpose } from './quote.ts'

type Tables = {
  fx_quotes: {
    partner_id: string
    id: string
    country_code: string
    organisation_number: string
    end_to_end_id: string
    provider: string
    provider_quote_id: string
    fixed_side: 'buy' | 'sell'
    conversion_date: ColumnType<Temporal.PlainDate | null, string | null>
    cost_currency: string
    cost_minor: bigint
    sell_minor: bigint
    buy_currency: string
    buy_minor: bigint
    markup_percent: string | null
    funding_country: string
    funding_date: ColumnType<Temporal.PlainDate, string>
    reference_code: string
    intermediary: ColumnType<IntermediaryAccount, string>
    terms_sealed: Buffer
    created_at: ColumnType<Temporal.Instant, string>
    expires_at: ColumnType<Temporal.Instant, string>
    purge_at: ColumnType<Temporal.Instant | null, string, null>
  }
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

export async function insertQuote({ database, seal }: Context, quote: Quote): Promise<void> {
  const { held, cost, company } = quote
  await tables(database)
    .insertInto('fx_quotes')
    .values({
      partner_id: quote.partnerId,
      id: quote.id,
      country_code: company.countryCode,
      organisation_number: company.organisationNumber,
      end_to_end_id: quote.endToEndId,
      provider: quote.provider,
      provider_quote_id: held.providerQuoteId,
      fixed_side: held.fixedSide,
      conversion_date: held.conversionDate?.toString() ?? null,
      cost_currency: cost.currency,
      cost_minor: cost.minor,
      sell_minor: held.sell.minor,
      buy_currency: held.buy.currency,
      buy_minor: held.buy.minor,
      markup_percent: quote.markupPercent,
      funding_country: quote.fundingCountry,
      funding_date: quote.fundingDate.toString(),
      reference_code: quote.referenceCode,
      intermediary: JSON.stringify(quote.intermediary),
      terms_sealed: seal.seal(JSON.stringify(quote.terms), quotePurpose(quote)),
      created_at: quote.createdAt.toString(),
      expires_at: quote.expiresAt.toString(),
      purge_at: quotePurgeAt(quote).toString(),
    })
    .execute()
}

/** Exempts a quote from deletion; part of the transaction that books it or records funds that name it. */
export async function exemptQuoteFromPurge(database: Queryable, { partnerId, id }: QuoteKey): Promise<void> {
  await tables(database).updateTable('fx_quotes').set({ purge_at: null }).where(hasKey({ partnerId, id })).execute()
}

/** The partner's quote with this id. */
export async function findQuoteById(context: Context, key: QuoteKey): Promise<Quote | undefined> {
  const row = await tables(context.database).selectFrom('fx_quotes').selectAll().where(hasKey(key)).executeTakeFirst()
  return row === undefined ? undefined : quoteFrom(context, row)
}

/** Quotes of all partners with one of these reference codes: inbound funds carry nothing else. */
export async function findQuotesByReferenceCodes(
  context: Context,
  referenceCodes: readonly string[],
): Promise<readonly Quote[]> {
  if (referenceCodes.length === 0) {
    return []
  }
  const rows = await tables(context.database)
    .selectFrom('fx_quotes')
    .selectAll()
    .where('reference_code', 'in', referenceCodes)
    .execute()
  return rows.map((row) => quoteFrom(context, row))
}

/** Selects when the next quote is due for deletion; null when there is none. */
export const nextQuotePurgeStatement: RawBuilder<{ purgeAt: Temporal.Instant | null }> = sql`
  select min(purge_at) as "purgeAt" from fx_quotes where purge_at is not null`

/** Up to `limit` quotes whose retention is over and that were not booked. */
export async function listPurgeableQuotes(
  database: Queryable,
  now: Temporal.Instant,
  limit: number,
): Promise<readonly QuoteKey[]> {
  return await tables(database)
    .selectFrom('fx_quotes')
    .where('purge_at', 'is not', null)
    .select(['partner_id as partnerId', 'id'])
    .where(sql<boolean>`purge_at <= ${now.toString()}`)
    .orderBy('purge_at')
    .limit(limit)
    .execute()
}

/** Deletes a quote unless inbound funds have booked it meanwhile. */
export async function purgeUnbookedQuote(database: Queryable, key: QuoteKey, now: Temporal.Instant): Promise<void> {
  await tables(database)
    .deleteFrom('fx_quotes')
    .where(hasKey(key))
    .where(sql<boolean>`purge_at <= ${now.toString()}`)
    .execute()
}

/** Postpones the deletion of a quote that is to be deleted. */
export async function postponeQuotePurge(
  database: Queryable,
  { partnerId, id }: QuoteKey,
  purgeAt: Temporal.Instant,
): Promise<void> {
  await sql`
    update fx_quotes set purge_at = ${timestamp(purgeAt)}
    where partner_id = ${partnerId} and id = ${id} and purge_at is not null`.execute(database.query)
}

function quoteFrom({ seal }: Context, row: Selectable<Tables['fx_quotes']>): Quote {
  const key = { partnerId: row.partner_id, id: row.id }
  const sell = { minor: row.sell_minor, currency: row.cost_currency }
  const buy = { minor: row.buy_minor, currency: row.buy_currency }
  return {
    ...key,
    company: { countryCode: row.country_code, organisationNumber: row.organisation_number },
    endToEndId: row.end_to_end_id,
    provider: row.provider,
    held: {
      providerQuoteId: row.provider_quote_id,
      fixedSide: row.fixed_side,
      conversionDate: row.conversion_date,
      sell,
      buy,
    },
    cost: { minor: row.cost_minor, currency: row.cost_currency },
    markupPercent: row.markup_percent,
    fundingCountry: row.funding_country,
    fundingDate: row.funding_date,
    referenceCode: row.reference_code,
    intermediary: row.intermediary,
    terms: JSON.parse(seal.open(row.terms_sealed, quotePurpose(key))) as PayoutTerms,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
