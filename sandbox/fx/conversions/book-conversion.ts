/** Books a conversion, at a held rate or at the rate of the moment; a request id is good for one. */
import type { Insertable } from 'kysely'
import { newId } from '../../../gateway/platform/ids.ts'
import { namesIn } from '../funds/reference-codes-in.ts'
import { cutOffOn } from '../market/dealing-calendar.ts'
import { decimal, over } from '../market/decimal.ts'
import { knownCurrency } from '../market/market.ts'
import { priceOf } from '../market/price.ts'
import { keepNotice } from '../notifications/enqueue-notification.ts'
import { shortReference } from '../protocol/format-time.ts'
import type { Call } from '../protocol/operation-call.ts'
import { refused } from '../protocol/provider-api-error.ts'
import type { ConversionTable } from '../tables.ts'
import { showConversion } from './conversion-response.ts'
import { insertConversion, isRequestUsed } from './conversion-store.ts'
import { type ExchangeAsked, readExchange } from './parse-exchange-request.ts'
import { findQuote, type Quote, useQuote } from './quote-store.ts'

const ERROR_CODE = 'conversion_create_failed'
/** In whole euros; more is arranged by telephone. */
const EUROS_MAX = 50_000_000n
const NOTHING_PAID = { paymentIds: [], minor: 0n }

export async function bookConversion(call: Call): Promise<object> {
  const { context, books, at, parameters } = call
  const requestId = parameters['unique_request_id']
  if (requestId !== undefined && (await isRequestUsed(books, requestId))) {
    const message = 'The unique_request_id provided for this conversion has already been used'
    throw refused(ERROR_CODE, 'duplicate_request', 'duplicate_request', message)
  }
  if (parameters['term_agreement'] !== 'true') {
    throw refused(ERROR_CODE, 'term_agreement', 'term_agreement_is_required', 'term_agreement is required')
  }
  const asked = readExchange(call, ERROR_CODE)
  const terms = await termsOf(call, asked)
  if (context.faults.take('refuse-booking') !== undefined || isAboveLimit(terms)) {
    throw refused(ERROR_CODE, 'amount', 'conversion_above_limit', 'The amount is above the limit of this account')
  }
  const id = newId()
  const conversion = await insertConversion(books, {
    ...terms,
    id,
    request_id: requestId ?? null,
    short_reference: shortReference('', at, id),
    reason: parameters['reason'] ?? '',
    names: namesIn(parameters['reason'] ?? ''),
    status: 'awaiting_funds',
    created_at: at.toString(),
    updated_at: at.toString(),
    loss_minor: null,
    cancel_notes: null,
    due_at: null,
  })
  const shown = showConversion(conversion, NOTHING_PAID)
  await keepNotice(books, { type: 'conversion/cash_manager_trade', body: shown, at })
  return shown
}

type Terms = Pick<
  Insertable<ConversionTable>,
  | 'buy_currency'
  | 'sell_currency'
  | 'fixed_side'
  | 'buy_minor'
  | 'sell_minor'
  | 'client_rate'
  | 'mid_rate'
  | 'conversion_on'
  | 'settles_at'
>

async function termsOf({ books, at, parameters }: Call, asked: ExchangeAsked): Promise<Terms> {
  const quoteId = parameters['quote_id']
  if (quoteId !== undefined) {
    const quote = usable(await findQuote(books, quoteId), asked, at)
    await useQuote(books, quote.id)
    return termsOfQuote(quote)
  }
  const price = priceOf(asked)
  return {
    buy_currency: asked.buy.code,
    sell_currency: asked.sell.code,
    fixed_side: asked.fixedSide,
    buy_minor: price.buyMinor,
    sell_minor: price.sellMinor,
    client_rate: price.clientRate,
    mid_rate: price.midRate,
    conversion_on: asked.conversionOn.toString(),
    settles_at: cutOffOn(asked.sell, asked.conversionOn).toString(),
  }
}

/** The interface lists no codes for quotes; these are the sandbox's own. */
function usable(quote: Quote | undefined, asked: ExchangeAsked, at: Temporal.Instant): Quote {
  if (quote === undefined) {
    throw refused(ERROR_CODE, 'quote_id', 'quote_not_found', 'Quote was not found for this id')
  }
  if (quote.used) {
    throw refused(ERROR_CODE, 'quote_id', 'quote_already_used', 'The quote has already been used')
  }
  if (Temporal.Instant.compare(at, quote.expires_at) >= 0) {
    throw refused(ERROR_CODE, 'quote_id', 'quote_expired', 'The quote has expired')
  }
  const fixedMinor = quote.fixed_side === 'buy' ? quote.buy_minor : quote.sell_minor
  const isSame =
    quote.buy_currency === asked.buy.code &&
    quote.sell_currency === asked.sell.code &&
    quote.fixed_side === asked.fixedSide &&
    fixedMinor === asked.minor
  if (!isSame) {
    throw refused(ERROR_CODE, 'quote_id', 'quote_mismatch', 'The conversion must match the quote')
  }
  return quote
}

function termsOfQuote(quote: Quote): Terms {
  const { buy_currency, sell_currency, fixed_side, buy_minor, sell_minor, client_rate, mid_rate } = quote
  const terms = { buy_currency, sell_currency, fixed_side, buy_minor, sell_minor, client_rate, mid_rate }
  return { ...terms, conversion_on: quote.conversion_on.toString(), settles_at: quote.settles_at.toString() }
}

function isAboveLimit({ sell_currency, sell_minor }: Terms): boolean {
  const { perEuro, decimals } = knownCurrency(sell_currency)
  return over({ digits: BigInt(sell_minor), scale: decimals }, decimal(perEuro), 0).digits > EUROS_MAX
}
