/** Translates the provider's rates, quotes and conversions into the port's types. */
import type { Conversion, ConversionState, ProviderQuote, ProviderRate } from '../conversion.ts'
import { moneyOf, perBoughtUnit } from './translate-money.ts'
import type * as wire from './wire.ts'

/** Undefined when an amount is invalid. */
export function rateOf(rate: wire.DetailedRate): ProviderRate | undefined {
  return parsePrice(rate, { buyCurrency: rate.client_buy_currency, sellCurrency: rate.client_sell_currency })
}

/** Undefined when an amount or time is invalid. */
export function quoteOf(quote: wire.HeldQuote, conversionDate: Temporal.PlainDate | null): ProviderQuote | undefined {
  const rate = parsePrice(quote, { buyCurrency: quote.buy_currency, sellCurrency: quote.sell_currency })
  const holdsUntil = instantOf(quote.expires_at)
  return rate === undefined || holdsUntil === null
    ? undefined
    : { ...rate, providerQuoteId: quote.quote_id, holdsUntil, conversionDate }
}

/** `isCancelled` is needed because the status `closed` does not show it. Undefined when an amount is invalid. */
export function conversionOf(conversion: wire.Conversion, isCancelled: boolean): Conversion | undefined {
  const buy = moneyOf(conversion.client_buy_amount, conversion.buy_currency)
  const sell = moneyOf(conversion.client_sell_amount, conversion.sell_currency)
  const stateByStatus: Readonly<Record<string, ConversionState>> = STATES
  if (buy === undefined || sell === undefined) {
    return undefined
  }
  return {
    id: conversion.id,
    state: isCancelled
      ? 'cancelled'
      : Object.hasOwn(stateByStatus, conversion.status)
        ? (stateByStatus[conversion.status] ?? null)
        : null,
    providerStatus: conversion.status,
    buy,
    sell,
    settlesAt: instantOf(conversion.settlement_date),
    requestId: conversion.unique_request_id || null,
  }
}

/** Whether the status permits that the conversion was cancelled. */
export function mayBeCancelled({ status }: Pick<wire.Conversion, 'status'>): boolean {
  return status === 'closed' || !Object.hasOwn(STATES, status)
}

/** Whether an event is a cancellation. */
export function isCancellation({ event_type }: Pick<wire.ProfitAndLoss, 'event_type'>): boolean {
  return event_type === CANCELLATION
}

export const CANCELLATION = 'self_service_cancellation'

const STATES = {
  awaiting_authorisation: 'awaiting-funds',
  awaiting_funds: 'awaiting-funds',
  // Set only by our own notice that funds were sent, which we never give.
  funds_sent: 'awaiting-funds',
  funds_being_processed: 'funds-arrived',
  funds_arrived: 'funds-arrived',
  trade_settling: 'funds-arrived',
  trade_settled: 'settled',
  closed: 'settled',
} as const satisfies Record<string, ConversionState>

function parsePrice(
  answer: Pick<wire.DetailedRate, 'client_buy_amount' | 'client_sell_amount' | 'currency_pair' | 'fixed_side'> &
    Partial<Pick<wire.DetailedRate, 'mid_market_rate' | 'settlement_cut_off_time'>>,
  currencies: { readonly buyCurrency: string; readonly sellCurrency: string },
): ProviderRate | undefined {
  const buy = moneyOf(answer.client_buy_amount, currencies.buyCurrency)
  const sell = moneyOf(answer.client_sell_amount, currencies.sellCurrency)
  if (buy === undefined || sell === undefined || buy.minor <= 0n || sell.minor <= 0n) {
    return undefined
  }
  return {
    buy,
    sell,
    fixedSide: answer.fixed_side,
    midRate: perBoughtUnit(answer.mid_market_rate, answer.currency_pair, currencies),
    settlementCutOff: instantOf(answer.settlement_cut_off_time),
  }
}

/** Parses a timestamp such as `2026-04-22T14:00:31Z`; null for anything else. */
export function instantOf(text: string | null | undefined): Temporal.Instant | null {
  try {
    return text === null || text === undefined ? null : Temporal.Instant.from(text)
  } catch {
    return null
  }
}
