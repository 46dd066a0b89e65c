/** Creates a quote: a rate that is held for one conversion of exactly this amount. */

import { newId } from '../../../gateway/platform/ids.ts'
import { insertRow } from '../../rows.ts'
import { formatQuotedAmount, pairCode } from '../market/market.ts'
import { parseExchangeRequest } from '../market/parse-exchange-request.ts'
import { exchangeColumns } from '../market/price.ts'
import { formatShortInstant } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { fieldRejected } from '../protocol/provider-api-error.ts'
import type { Quote } from '../tables.ts'

const ERROR_CODE = 'quote_create_failed'
/** Hold periods that the account is provisioned for. */
const HOLD_SECONDS = [30, 60, 120, 180, 300]
const SECONDS_A_MINUTE = 60

export async function createQuote(call: OperationCall): Promise<object> {
  const { context, at, parameters } = call
  const requested = parseExchangeRequest(call, ERROR_CODE)
  const seconds = readHoldPeriod(parameters['hold_period'] ?? '')
  if (context.faults.take('no-rate') !== undefined) {
    throw fieldRejected(ERROR_CODE, 'base', 'quote_could_not_be_created', 'The quote could not be created')
  }
  const reported = at.add({ seconds })
  const early = context.faults.take('quote-expires-early')
  const quote = await insertRow(context, 'quotes', {
    ...exchangeColumns(requested),
    id: newId(),
    created_at: at,
    expires_at: early === undefined ? reported : at.add({ seconds: early.seconds ?? 0 }),
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
    currency_pair: pairCode(buy, sell),
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
