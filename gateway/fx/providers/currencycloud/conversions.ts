/** Calls for rates, quotes and conversions. */

import type {
  Conversion,
  ConversionCancelled,
  ConversionRequest,
  ProviderQuote,
  ProviderRate,
  QuoteRequest,
  RateRequest,
} from '../conversion.ts'
import { FxProviderError } from '../fx-provider-error.ts'
import {
  type ApiRequest,
  errorDetailOf,
  failedBeforeProcessing,
  findMadeBefore,
  path,
  requireReadable,
  type SendRequest,
} from './client.ts'
import type { Effect } from './errors.ts'
import type { FormFields } from './form-encoding.ts'
import { amountText, CANCELLATION, conversionOf, mayBeCancelled, moneyOf, quoteOf, rateOf } from './translate.ts'
import * as wire from './wire.ts'

const HOLD_MINUTES_FROM_SECONDS = 180

export async function readRate(send: SendRequest, request: RateRequest): Promise<ProviderRate> {
  const apiRequest = {
    operation: 'readRate',
    path: '/rates/detailed',
    fields: priceFields(request),
    urgency: 'urgent',
    isRate: true,
  } satisfies ApiRequest
  return requireSameRequest(request, requireReadable(rateOf(await send(apiRequest, wire.readDetailedRate))))
}

/** Holds a rate for the shortest period that is not shorter than requested, or for the longest. */
export async function holdRate(
  send: SendRequest,
  request: QuoteRequest,
  holdSeconds: readonly number[],
): Promise<ProviderQuote> {
  const seconds = holdSeconds.find((each) => each >= request.holdSeconds) ?? holdSeconds.at(-1) ?? request.holdSeconds
  const apiRequest = {
    operation: 'holdRate',
    method: 'POST',
    path: '/quotes/create',
    fields: { ...priceFields(request), hold_period: periodText(seconds) },
    effect: 'reads',
    urgency: 'urgent',
  } satisfies ApiRequest
  const answer = await send(apiRequest, wire.readHeldQuote)
  return requireSameRequest(request, requireReadable(quoteOf(answer, request.conversionDate)))
}

/**
 * Books at a held rate. If a repeated booking is rejected, the first one may have been made: the rejection is only
 * returned when no conversion has the request id.
 */
export async function bookConversion(
  send: SendRequest,
  { quote, requestId, reason }: ConversionRequest,
): Promise<Conversion> {
  const { buy, sell, fixedSide, conversionDate, providerQuoteId } = quote
  const amount = fixedSide === 'buy' ? buy : sell
  const price = { buyCurrency: buy.currency, sellCurrency: sell.currency, fixedSide, amount, conversionDate }
  const apiRequest = {
    operation: 'bookConversion',
    method: 'POST',
    path: '/conversions/create',
    fields: {
      ...priceFields(price),
      quote_id: providerQuoteId,
      term_agreement: 'true',
      reason,
      unique_request_id: requestId,
    },
    effect: 'moves',
    urgency: 'urgent',
  } satisfies ApiRequest
  try {
    const conversion = conversionOf(await send(apiRequest, wire.readConversion), false)
    return requireSameRequest(price, requireReadable(conversion, 'moves'), 'moves')
  } catch (error) {
    const made = await findMadeBefore(error, () => findConversion(send, requestId))
    return requireSameRequest(price, made, 'moves')
  }
}

export async function findConversion(send: SendRequest, requestId: string): Promise<Conversion | null> {
  const apiRequest = {
    operation: 'findConversion',
    path: '/conversions/find',
    fields: { unique_request_id: requestId },
  }
  const { conversions } = await send(apiRequest, wire.readConversions)
  // An API that ignored the parameter would return other conversions.
  const found = conversions.find(({ unique_request_id }) => unique_request_id === requestId)
  return found === undefined ? null : await withCancellation(send, found)
}

export async function readConversion(send: SendRequest, id: string): Promise<Conversion> {
  const apiRequest = { operation: 'readConversion', path: path('conversions', id) }
  return await withCancellation(send, await send(apiRequest, wire.readConversion))
}

/** If the call fails, the cancellation event shows whether the conversion was cancelled before or by this call. */
export async function cancelConversion(send: SendRequest, id: string): Promise<ConversionCancelled> {
  const apiRequest = {
    operation: 'cancelConversion',
    method: 'POST',
    path: path('conversions', id, 'cancel'),
    fields: { notes: 'Not signed in time' },
    effect: 'moves',
    houseOnly: true,
  } satisfies ApiRequest
  try {
    return lossOf(await send(apiRequest, wire.readProfitAndLoss))
  } catch (error) {
    if (!(error instanceof FxProviderError) || failedBeforeProcessing(error)) {
      throw error
    }
    const event = await findCancellation(send, id)
    if (event !== undefined) {
      return lossOf(event)
    }
    throw error.kind === 'invalid' ? await cancellationError(send, id, error) : error
  }
}

/** The provider gives no reason: the state shows whether it is too late; any other error is transient. */
async function cancellationError(send: SendRequest, id: string, error: FxProviderError): Promise<FxProviderError> {
  const { state } = await readConversion(send, id)
  return new FxProviderError(state === 'settled' ? 'too-late' : 'unavailable', error.message, errorDetailOf(error))
}

/** `closed` does not show whether the conversion was cancelled: that takes a call of its own. */
export async function withCancellation(send: SendRequest, conversion: wire.Conversion): Promise<Conversion> {
  const isCancelled = mayBeCancelled(conversion) && (await findCancellation(send, conversion.id)) !== undefined
  return requireReadable(conversionOf(conversion, isCancelled))
}

async function findCancellation(send: SendRequest, id: string): Promise<wire.ProfitAndLoss | undefined> {
  const apiRequest = {
    operation: 'findCancellation',
    path: '/conversions/profit_and_loss',
    fields: { conversion_id: id, event_type: CANCELLATION },
    houseOnly: true,
  }
  const { conversion_profit_and_losses: events } = await send(apiRequest, wire.readProfitAndLosses)
  return events.find(({ event_type }) => event_type === CANCELLATION)
}

/** A gain counts as no loss. An amount that cannot be parsed leaves the outcome unknown. */
function lossOf({ amount, currency }: wire.ProfitAndLoss): ConversionCancelled {
  const money = requireReadable(moneyOf(amount, currency), 'moves')
  return { loss: { ...money, minor: money.minor < 0n ? -money.minor : 0n } }
}

/** An answer with other currencies, or another amount on the fixed side, is an error: it would be paid instead of the order. */
function requireSameRequest<Answer extends Pick<ProviderRate, 'buy' | 'sell'>>(
  { buyCurrency, sellCurrency, fixedSide, amount }: RateRequest,
  answer: Answer,
  effect: Effect = 'reads',
): Answer {
  const { buy, sell } = answer
  const fixed = fixedSide === 'buy' ? buy : sell
  if (buy.currency !== buyCurrency || sell.currency !== sellCurrency || fixed.minor !== amount.minor) {
    const kind = effect === 'moves' ? 'outcome-unknown' : 'unreadable'
    throw new FxProviderError(kind, 'The provider returned another exchange than the requested one')
  }
  return answer
}

function priceFields(request: RateRequest): FormFields {
  return {
    buy_currency: request.buyCurrency,
    sell_currency: request.sellCurrency,
    fixed_side: request.fixedSide,
    amount: amountText(request.amount),
    conversion_date: request.conversionDate?.toString(),
  }
}

/** `30s`, `120s`; in minutes from three minutes on, as the provider writes them: `3m`, `5m`. */
function periodText(seconds: number): string {
  return seconds % 60 === 0 && seconds >= HOLD_MINUTES_FROM_SECONDS ? `${seconds / 60}m` : `${seconds}s`
}
