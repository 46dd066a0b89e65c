/** Turns the provider's rates, quotes and conversions into the port's words. */
import type { Conversion, ConversionState, ProviderQuote, ProviderRate } from '../conversion.ts'
import { moneyOf, perBoughtUnit } from './translate-money.ts'
import type * as wire from './wire.ts'

/** Undefined when an amount or a time is none. */
export function rateOf(rate: wire.DetailedRate): ProviderRate | undefined {
  return priced(rate, { buyCurrency: rate.client_buy_currency, sellCurrency: rate.client_sell_currency })
}

/** Undefined when an amount or a time is none. */
export function quoteOf(quote: wire.HeldQuote, conversionDate: Temporal.PlainDate | null): ProviderQuote | undefined {
  const rate = priced(quote, { buyCurrency: quote.buy_currency, sellCurrency: quote.sell_currency })
  const holdsUntil = instantOf(quote.expires_at)
  return rate === undefined || holdsUntil === null
    ? undefined
    : { ...rate, providerQuoteId: quote.quote_id, holdsUntil, conversionDate }
}

/** `isCancelled` says what a status of `closed` does not. Undefined when an amount is none. */
export function conversionOf(conversion: wire.Conversion, isCancelled: boolean): Conversion | undefined {
  const buy = moneyOf(conversion.client_buy_amount, conversion.buy_currency)
  const sell = moneyOf(conversion.client_sell_amount, conversion.sell_currency)
  const known: Readonly<Record<string, ConversionState>> = STATES
  if (buy === undefined || sell === undefined) {
    return undefined
  }
  return {
    id: conversion.id,
    state: isCancelled
      ? 'cancelled'
      : Object.hasOwn(known, conversion.status)
        ? (known[conversion.status] ?? null)
        : null,
    providerStatus: conversion.status,
    buy,
    sell,
    settlesAt: instantOf(conversion.settlement_date),
    requestId: conversion.unique_request_id || null,
  }
}

/** The words after which a conversion may turn out to have been cancelled. */
export function mayBeCancelled({ status }: Pick<wire.Conversion, 'status'>): boolean {
  return status === 'closed' || !Object.hasOwn(STATES, status)
}

/** The event by which a cancelling is known. */
export function isCancellation({ event_type }: Pick<wire.ProfitAndLoss, 'event_type'>): boolean {
  return event_type === CANCELLATION
}

export const CANCELLATION = 'self_service_cancellation'

const STATES = {
  awaiting_authorisation: 'awaiting-funds',
  awaiting_funds: 'awaiting-funds',
  // Our own word that they are on the way, which nobody gives.
  funds_sent: 'awaiting-funds',
  funds_being_processed: 'funds-arrived',
  funds_arrived: 'funds-arrived',
  trade_settling: 'funds-arrived',
  trade_settled: 'settled',
  closed: 'settled',
} as const satisfies Record<string, ConversionState>

function priced(
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

/** A moment such as `2026-04-22T14:00:31Z`; null for anything else. */
export function instantOf(text: string | null | undefined): Temporal.Instant | null {
  try {
    return text === null || text === undefined ? null : Temporal.Instant.from(text)
  } catch {
    return null
  }
}
