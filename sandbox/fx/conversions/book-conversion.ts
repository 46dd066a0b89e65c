/** Books a conversion at a quoted or the current rate; each request id is accepted once. */
import Big from 'big.js'
import { newId } from '../../../gateway/platform/ids.ts'
import { findRow, insertRow, updateRow } from '../../rows.ts'
import { referenceCodesIn } from '../books/conversion-store.ts'
import { divide, fromMinor, requireCurrency } from '../market/market.ts'
import { type ExchangeRequest, parseExchangeRequest } from '../market/parse-exchange-request.ts'
import { exchangeColumns } from '../market/price.ts'
import { shortReference } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { fieldRejected } from '../protocol/provider-api-error.ts'
import type { ExchangeColumns, Quote } from '../tables.ts'
import { notifyConversion } from './conversion-response.ts'

const ERROR_CODE = 'conversion_create_failed'
/** In whole euros; larger amounts are arranged by telephone. */
const EUROS_MAX = 50_000_000

export async function bookConversion(call: OperationCall): Promise<object> {
  const { context, at, parameters } = call
  const requestId = parameters['unique_request_id']
  if (requestId !== undefined && (await findRow(context, 'conversions', { request_id: requestId })) !== undefined) {
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
  const conversion = await insertRow(context, 'conversions', {
    ...terms,
    id,
    request_id: requestId ?? null,
    short_reference: shortReference('', at, id),
    reason: parameters['reason'] ?? '',
    names: referenceCodesIn(parameters['reason'] ?? ''),
    status: 'awaiting_funds',
    created_at: at,
    updated_at: at,
    loss_minor: null,
    cancel_notes: null,
    due_at: null,
  })
  return await notifyConversion(context, 'cash_manager_trade', conversion, at)
}

async function termsOf(
  { context, at, parameters }: OperationCall,
  requested: ExchangeRequest,
): Promise<ExchangeColumns> {
  const quoteId = parameters['quote_id']
  if (quoteId === undefined) {
    return exchangeColumns(requested)
  }
  const quote = requireUsableQuote(await findRow(context, 'quotes', { id: quoteId }), requested, at)
  await updateRow(context, 'quotes', quote, { used: true })
  const { id: _id, used: _used, created_at: _created, expires_at: _expires, ...terms } = quote
  return terms
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

function isAboveLimit({ sell_currency, sell_minor }: ExchangeColumns): boolean {
  const { perEuro, decimals } = requireCurrency(sell_currency)
  return divide(fromMinor(sell_minor, decimals), new Big(perEuro), 0).gt(EUROS_MAX)
}
