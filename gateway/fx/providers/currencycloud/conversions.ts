/** Rates, quotes and conversions at the provider. */

import { type Ask, path, type Question } from '../../currencycloud/ask.ts'
import { detailOf, isBeforehand, madeBefore, readable } from '../../currencycloud/repeating.ts'
import type {
  BookingAsked,
  Conversion,
  ConversionCancelled,
  ProviderQuote,
  ProviderRate,
  QuoteAsked,
  RateAsked,
} from '../conversion.ts'
import { FxRefusal } from '../fx-provider-error.ts'
import type { Fields } from './form-encoding.ts'
import { CANCELLATION, conversionOf, isCancellation, mayBeCancelled, quoteOf, rateOf } from './translate-conversions.ts'
import { amountText, moneyOf } from './translate-money.ts'
import * as wire from './wire.ts'

const HOLD_MINUTES_FROM_SECONDS = 180

export async function readRate(ask: Ask, asked: RateAsked): Promise<ProviderRate> {
  const question = {
    operation: 'readRate',
    method: 'GET',
    path: '/rates/detailed',
    fields: pricedFields(asked),
    effect: 'reads',
    urgency: 'urgent',
    isRate: true,
  } as const satisfies Question
  return readable(rateOf(await ask(question, wire.readDetailedRate)))
}

/** Holds a rate for the shortest of the lengths that is no shorter than asked, or the longest. */
export async function holdRate(ask: Ask, asked: QuoteAsked, holdSeconds: readonly number[]): Promise<ProviderQuote> {
  const seconds = holdSeconds.find((each) => each >= asked.holdSeconds) ?? holdSeconds.at(-1) ?? asked.holdSeconds
  const question = {
    operation: 'holdRate',
    method: 'POST',
    path: '/quotes/create',
    fields: { ...pricedFields(asked), hold_period: periodText(seconds) },
    effect: 'reads',
    urgency: 'urgent',
  } as const satisfies Question
  return readable(quoteOf(await ask(question, wire.readHeldQuote), asked.conversionDate))
}

/**
 * Books at a held rate. Whatever a repeated booking is refused for, the first one may have been made: only when nothing
 * is found under its id is the refusal believed.
 */
export async function bookConversion(ask: Ask, { quote, requestId, reason }: BookingAsked): Promise<Conversion> {
  const { buy, sell, fixedSide, conversionDate, providerQuoteId } = quote
  const amount = fixedSide === 'buy' ? buy : sell
  const priced = { buyCurrency: buy.currency, sellCurrency: sell.currency, fixedSide, amount, conversionDate }
  const question = {
    operation: 'bookConversion',
    method: 'POST',
    path: '/conversions/create',
    fields: {
      ...pricedFields(priced),
      quote_id: providerQuoteId,
      term_agreement: 'true',
      reason,
      unique_request_id: requestId,
    },
    effect: 'moves',
    urgency: 'urgent',
  } as const satisfies Question
  try {
    return sameAs(quote, readable(conversionOf(await ask(question, wire.readConversion), false), 'moves'))
  } catch (error) {
    return sameAs(quote, await madeBefore(error, () => findConversion(ask, requestId)))
  }
}

export async function findConversion(ask: Ask, requestId: string): Promise<Conversion | null> {
  const question = {
    operation: 'findConversion',
    method: 'GET',
    path: '/conversions/find',
    fields: { unique_request_id: requestId },
    effect: 'reads',
    urgency: 'patient',
  } as const satisfies Question
  const { conversions } = await ask(question, wire.readConversions)
  // An interface that did not know the parameter would show others.
  const found = conversions.find(({ unique_request_id }) => unique_request_id === requestId)
  return found === undefined ? null : await whole(ask, found)
}

export async function readConversion(ask: Ask, id: string): Promise<Conversion> {
  const question = {
    operation: 'readConversion',
    method: 'GET',
    path: path('conversions', id),
    effect: 'reads',
    urgency: 'patient',
  } as const satisfies Question
  return await whole(ask, await ask(question, wire.readConversion))
}

/** A conversion that was undone before, or whose undoing was answered with nothing, is known by its event. */
export async function cancelConversion(ask: Ask, id: string): Promise<ConversionCancelled> {
  const question = {
    operation: 'cancelConversion',
    method: 'POST',
    path: path('conversions', id, 'cancel'),
    fields: { notes: 'Not signed in time' },
    effect: 'moves',
    urgency: 'patient',
    houseOnly: true,
  } as const satisfies Question
  try {
    return lossOf(await ask(question, wire.readProfitAndLoss))
  } catch (error) {
    if (!(error instanceof FxRefusal) || isBeforehand(error)) {
      throw error
    }
    const event = await findCancellation(ask, id)
    if (event !== undefined) {
      return lossOf(event)
    }
    throw error.kind === 'invalid' ? await notCancelled(ask, id, error) : error
  }
}

/** The provider names no reason: what has come too far is told by its state, and anything else may pass. */
async function notCancelled(ask: Ask, id: string, refusal: FxRefusal): Promise<FxRefusal> {
  const { state } = await readConversion(ask, id)
  return new FxRefusal(state === 'settled' ? 'too-late' : 'unavailable', refusal.message, detailOf(refusal))
}

async function whole(ask: Ask, conversion: wire.Conversion): Promise<Conversion> {
  const isCancelled = mayBeCancelled(conversion) && (await findCancellation(ask, conversion.id)) !== undefined
  return readable(conversionOf(conversion, isCancelled))
}

async function findCancellation(ask: Ask, id: string): Promise<wire.ProfitAndLoss | undefined> {
  const question = {
    operation: 'findCancellation',
    method: 'GET',
    path: '/conversions/profit_and_loss',
    fields: { conversion_id: id, event_type: CANCELLATION },
    effect: 'reads',
    urgency: 'patient',
    houseOnly: true,
  } as const satisfies Question
  const { conversion_profit_and_losses: events } = await ask(question, wire.readProfitAndLosses)
  return events.find((event) => isCancellation(event))
}

/** Gains are not passed on as negative losses. A loss that nobody can read is none the less one. */
function lossOf({ amount, currency }: wire.ProfitAndLoss): ConversionCancelled {
  const money = readable(moneyOf(amount, currency), 'moves')
  return { loss: { ...money, minor: money.minor < 0n ? -money.minor : 0n } }
}

/** An id of ours stands for one order: under it there can be nothing else. */
function sameAs(quote: Pick<BookingAsked['quote'], 'buy' | 'sell' | 'fixedSide'>, conversion: Conversion): Conversion {
  const { buy, sell } = conversion
  const fixed = quote.fixedSide === 'buy' ? [quote.buy, buy] : [quote.sell, sell]
  const isSame =
    buy.currency === quote.buy.currency && sell.currency === quote.sell.currency && fixed[0]?.minor === fixed[1]?.minor
  if (!isSame) {
    throw new FxRefusal('outcome-unknown', 'The provider shows another conversion than the one that was asked for')
  }
  return conversion
}

function pricedFields(asked: RateAsked): Fields {
  return {
    buy_currency: asked.buyCurrency,
    sell_currency: asked.sellCurrency,
    fixed_side: asked.fixedSide,
    amount: amountText(asked.amount),
    conversion_date: asked.conversionDate?.toString(),
  }
}

/** `30s`, `120s`; whole minutes from three on, as the provider writes them: `3m`, `5m`. */
function periodText(seconds: number): string {
  return seconds % 60 === 0 && seconds >= HOLD_MINUTES_FROM_SECONDS ? `${seconds / 60}m` : `${seconds}s`
}
