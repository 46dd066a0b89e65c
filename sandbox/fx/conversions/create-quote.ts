/** Creates a quote: a rate that is held for one conversion of exactly this amount. */

import type { Insertable, Selectable } from 'kysely'
import { newId } from '../../../gateway/platform/ids.ts'
import type { BooksTransaction } from '../context.ts'
import { cutOffOn } from '../market/dealing-calendar.ts'
import { formatQuotedAmount, pairOf, requireCurrency } from '../market/market.ts'
import { parseExchangeRequest } from '../market/parse-exchange-request.ts'
import { priceOf } from '../market/price.ts'
import { formatShortInstant } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { fieldRejected } from '../protocol/provider-api-error.ts'
import type { QuoteTable } from '../tables.ts'

const ERROR_CODE = 'quote_create_failed'
/** Hold periods that the account is provisioned for. */
const HOLD_SECONDS = [30, 60, 120, 180, 300]
const SECONDS_A_MINUTE = 60

export async function createQuote(call: OperationCall): Promise<object> {
  const { context, books, at, parameters } = call
  const requested = parseExchangeRequest(call, ERROR_CODE)
  const seconds = readHoldPeriod(parameters['hold_period'] ?? '')
  if (context.faults.take('no-rate') !== undefined) {
    throw fieldRejected(ERROR_CODE, 'base', 'quote_could_not_be_created', 'The quote could not be created')
  }
  const { buy, sell, fixedSide, conversionOn } = requested
  const price = priceOf(requested)
  const reported = at.add({ seconds })
  const early = context.faults.take('quote-expires-early')
  const quote = await insertQuote(books, {
    id: newId(),
    buy_currency: buy.code,
    sell_currency: sell.code,
    fixed_side: fixedSide,
    buy_minor: price.buyMinor,
    sell_minor: price.sellMinor,
    client_rate: price.clientRate,
    mid_rate: price.midRate,
    conversion_on: conversionOn.toString(),
    settles_at: cutOffOn(sell, conversionOn).toString(),
    created_at: at.toString(),
    expires_at: (early === undefined ? reported : at.add({ seconds: early.seconds ?? 0 })).toString(),
    used: false,
  })
  return show(quote, reported)
}

/** Parses a hold period such as `30s` or `3m`; only the provisioned ones are accepted. */
function readHoldPeriod(text: string): number {
  const [, count = '', unit] = /^([0-9]{1,4})([sm])$/.exec(text) ?? []
  const seconds = Number(count) * (unit === 'm' ? SECONDS_A_MINUTE : 1)
  if (!HOLD_SECONDS.includes(seconds)) {
    throw fieldRejected(ERROR_CODE, 'base', 'invalid_hold_period', 'The hold period is not enabled for this account')
  }
  return seconds
}

function show(quote: Quote, expiresAt: Temporal.Instant): object {
  const { buy_currency: buy, sell_currency: sell } = quote
  return {
    quote_id: quote.id,
    buy_currency: buy,
    sell_currency: sell,
    client_buy_amount: formatQuotedAmount(quote.buy_minor, buy),
    client_sell_amount: formatQuotedAmount(quote.sell_minor, sell),
    client_rate: quote.client_rate,
    core_rate: quote.client_rate,
    mid_market_rate: quote.mid_rate,
    currency_pair: pairOf(requireCurrency(buy), requireCurrency(sell))
      .map(({ code }) => code)
      .join(''),
    fixed_side: quote.fixed_side,
    partner_buy_amount: null,
    partner_sell_amount: null,
    partner_rate: null,
    deposit_required: false,
    deposit_amount: null,
    deposit_currency: null,
    settlement_cut_off_time: formatShortInstant(quote.settles_at),
    created_at: formatShortInstant(quote.created_at),
    expires_at: formatShortInstant(expiresAt),
  }
}

export type Quote = Selectable<QuoteTable>

async function insertQuote(books: BooksTransaction, quote: Insertable<QuoteTable>): Promise<Quote> {
  return await books.insertInto('quotes').values(quote).returningAll().executeTakeFirstOrThrow()
}

export async function findQuote(books: BooksTransaction, id: string): Promise<Quote | undefined> {
  return await books.selectFrom('quotes').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function useQuote(books: BooksTransaction, id: string): Promise<void> {
  await books.updateTable('quotes').set({ used: true }).where('id', '=', id).execute()
}
