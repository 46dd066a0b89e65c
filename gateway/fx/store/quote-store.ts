/** Every query on quotes. */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Context } from '../../context.ts'
import { membersOf, rowOf, type TableOf } from '../../platform/database/columns.ts'
import { executePrepared, type Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey, timestamp } from '../../platform/database/sql-fragments.ts'
import type { BatchRange } from '../../platform/jobs/batch-purge.ts'
import type { PayoutTerms } from './deal.ts'
import { type ExchangeMembers, exchangeMembers, withExchange } from './exchange-members.ts'
import { type Quote, type QuoteKey, quotePurgeAt, quotePurpose } from './quote.ts'

type StoredQuote = Omit<Quote, 'company' | 'held' | 'cost' | 'terms'> &
  ExchangeMembers &
  Quote['company'] & { readonly termsSealed: Buffer; readonly purgeAt: Temporal.Instant | null }

type Tables = { fx_quotes: TableOf<StoredQuote> }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

export async function insertQuote({ database, seal }: Context, quote: Quote): Promise<void> {
  const { held, cost, company, terms, ...members } = quote
  const termsSealed = seal.seal(JSON.stringify(terms), quotePurpose(quote))
  const purgeAt = quotePurgeAt(quote)
  await tables(database)
    .insertInto('fx_quotes')
    .values(rowOf({ ...members, ...company, ...exchangeMembers({ held, cost }), termsSealed, purgeAt }))
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

/** Deletes some of the quotes whose retention is over, and that were neither booked nor named by funds; returns how many. */
export async function purgeQuotes(
  database: Queryable,
  now: Temporal.Instant,
  { limit, offset }: BatchRange,
): Promise<number> {
  const statement = sql`
    delete from fx_quotes where (partner_id, id) in (
      select partner_id, id from fx_quotes where purge_at <= ${timestamp(now)}
      order by purge_at, partner_id, id limit ${limit} offset ${offset} for update skip locked)`
  const { numAffectedRows } = await executePrepared(database, statement)
  return Number(numAffectedRows ?? 0n)
}

function quoteFrom({ seal }: Context, row: Selectable<Tables['fx_quotes']>): Quote {
  const { countryCode, organisationNumber, termsSealed, purgeAt: _purge, ...quote } = withExchange(membersOf(row))
  const terms = JSON.parse(seal.open(termsSealed, quotePurpose(quote))) as PayoutTerms
  return { ...quote, company: { countryCode, organisationNumber }, terms }
}
