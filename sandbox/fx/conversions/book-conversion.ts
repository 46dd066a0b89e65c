/** Books a conversion at a quoted or the current rate; each request id is accepted once. */
import Big from 'big.js'
import type { Insertable } from 'kysely'
import { newId } from '../../../gateway/platform/ids.ts'
import { insertConversion, isRequestUsed } from '../books/conversion-store.ts'
import { referenceCodesIn } from '../books/inbound-funds-store.ts'
import { cutOffOn } from '../market/dealing-calendar.ts'
import { divide, fromMinor } from '../market/decimal.ts'
import { requireCurrency } from '../market/market.ts'
import { type ExchangeRequest, parseExchangeRequest } from '../market/parse-exchange-request.ts'
import { priceOf } from '../market/price.ts'
import { enqueueNotification } from '../notifications.ts'
import { shortReference } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { fieldRejected } from '../protocol/provider-api-error.ts'
import type { ConversionTable } from '../tables.ts'
import { conversionResponse } from './conversion-response.ts'
import { findQuote, type Quote, useQuote } from './create-quote.ts'

const ERROR_CODE = 'conversion_create_failed'
/** In whole euros; larger amounts are arranged by telephone. */
const EUROS_MAX = 50_000_000
const NOTHING_PAID = { paymentIds: [], minor: 0n }

export async function bookConversion(call: OperationCall): Promise<object> {
  const { context, books, at, parameters } = call
  const requestId = parameters['unique_request_id']
  if (requestId !== undefined && (await isRequestUsed(books, requestId))) {
    const message = 'The unique_request_id provided for this conversion has already been used'
    throw fieldRejected(ERROR_CODE, 'duplicate_request', 'duplicate_request', message)
  }
  if (parameters['term_agreement'] !== 'true') {
    throw fieldRejected(ERROR_CODE, 'term_agreement', 'term_agreement_is_required', 'term_agreement is required')
  }
  const requested = parseExchangeRequest(call, ERROR_CODE)
  const terms = await termsOf(call, requested)
  if (context.faults.take('refuse-booking') !== undefined || isAboveLimit(terms)) {
    throw fieldRejected(ERROR_CODE, 'amount', 'conversion_above_limit', 'The amount is above the limit of this account')
  }
  const id = newId()
  const conversion = await insertConversion(books, {
    ...terms,
    id,
    request_id: requestId ?? null,
    short_reference: shortReference('', at, id),
    reason: parameters['reason'] ?? '',
    names: referenceCodesIn(parameters['reason'] ?? ''),
    status: 'awaiting_funds',
    created_at: at.toString(),
    updated_at: at.toString(),
    loss_minor: null,
    cancel_notes: null,
    due_at: null,
  })
  const shown = conversionResponse(conversion, NOTHING_PAID)
  await enqueueNotification(books, { type: 'conversion/cash_manager_trade', body: shown, at })
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

async function termsOf({ books, at, parameters }: OperationCall, requested: ExchangeRequest): Promise<Terms> {
  const quoteId = parameters['quote_id']
  if (quoteId !== undefined) {
    const quote = requireUsableQuote(await findQuote(books, quoteId), requested, at)
    await useQuote(books, quote.id)
    return termsOfQuote(quote)
  }
  const price = priceOf(requested)
  return {
    buy_currency: requested.buy.code,
    sell_currency: requested.sell.code,
    fixed_side: requested.fixedSide,
    buy_minor: price.buyMinor,
    sell_minor: price.sellMinor,
    client_rate: price.clientRate,
    mid_rate: price.midRate,
    conversion_on: requested.conversionOn.toString(),
    settles_at: cutOffOn(requested.sell, requested.conversionOn).toString(),
  }
}

/** The public API lists no error codes for quotes; these are the sandbox's own. */
function requireUsableQuote(quote: Quote | undefined, requested: ExchangeRequest, at: Temporal.Instant): Quote {
  if (quote === undefined) {
    throw fieldRejected(ERROR_CODE, 'quote_id', 'quote_not_found', 'Quote was not found for this id')
  }
  if (quote.used) {
    throw fieldRejected(ERROR_CODE, 'quote_id', 'quote_already_used', 'The quote has already been used')
  }
  if (Temporal.Instant.compare(at, quote.expires_at) >= 0) {
    throw fieldRejected(ERROR_CODE, 'quote_id', 'quote_expired', 'The quote has expired')
  }
  const fixedMinor = quote.fixed_side === 'buy' ? quote.buy_minor : quote.sell_minor
  const isSame =
    quote.buy_currency === requested.buy.code &&
    quote.sell_currency === requested.sell.code &&
    quote.fixed_side === requested.fixedSide &&
    fixedMinor === requested.minor
  if (!isSame) {
    throw fieldRejected(ERROR_CODE, 'quote_id', 'quote_mismatch', 'The conversion must match the quote')
  }
  return quote
}

function termsOfQuote(quote: Quote): Terms {
  const { buy_currency, sell_currency, fixed_side, buy_minor, sell_minor, client_rate, mid_rate } = quote
  const terms = { buy_currency, sell_currency, fixed_side, buy_minor, sell_minor, client_rate, mid_rate }
  return { ...terms, conversion_on: quote.conversion_on.toString(), settles_at: quote.settles_at.toString() }
}

function isAboveLimit({ sell_currency, sell_minor }: Terms): boolean {
  const { perEuro, decimals } = requireCurrency(sell_currency)
  return divide(fromMinor(BigInt(sell_minor), decimals), new Big(perEuro), 0).gt(EUROS_MAX)
}
