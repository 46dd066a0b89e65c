/** Translates amounts, conversions and payouts of Currencycloud. */
import { redactAccountNumbers } from '../../../banks/connector/bank-text.ts'
import { currencyScale, formatAmount, type Money } from '../../../platform/money.ts'
import type { Conversion, ConversionState, ProviderQuote, ProviderRate } from '../conversion.ts'
import type { ProviderInboundFunds } from '../fx-provider.ts'
import type { PayoutState, ProviderPayout } from '../payout.ts'
import type * as wire from './wire.ts'

const DECIMAL = /^(-?)(\d{1,15})(?:\.(\d{1,10}))?$/

/**
 * Parses an amount such as `1000.00`, also of a currency without decimals, or a number; undefined when it is invalid or
 * has more decimals than the currency.
 */
export function moneyOf(amount: string | number, currency: string): Money | undefined {
  const scale = currencyScale(currency)
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(String(amount)) ?? []
  const exact = fraction.replace(/(?<!0)0+$/, '')
  if (scale === undefined || whole === undefined || exact.length > scale) {
    return undefined
  }
  const minor = BigInt(whole + exact.padEnd(scale, '0'))
  return { minor: sign === '-' ? -minor : minor, currency }
}

/** Formats an amount with two decimals at most where that is exact: the provider rarely supports a third one. */
export function amountText(money: Money): string {
  return formatAmount(money).replace(/(\.\d\d)0+$/, '$1')
}

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
  if (buy === undefined || sell === undefined) {
    return undefined
  }
  return {
    id: conversion.id,
    state: isCancelled ? 'cancelled' : (CONVERSION_STATES.get(conversion.status) ?? null),
    providerStatus: conversion.status,
    buy,
    sell,
    settlesAt: instantOf(conversion.settlement_date),
    requestId: conversion.unique_request_id || null,
  }
}

/** Whether the status permits that the conversion was cancelled. */
export function mayBeCancelled({ status }: Pick<wire.Conversion, 'status'>): boolean {
  return status === 'closed' || !CONVERSION_STATES.has(status)
}

export const CANCELLATION = 'self_service_cancellation'

const CONVERSION_STATES: ReadonlyMap<string, ConversionState> = new Map([
  ['awaiting_authorisation', 'awaiting-funds'],
  ['awaiting_funds', 'awaiting-funds'],
  // Set only by our own notice that funds were sent, which we never give.
  ['funds_sent', 'awaiting-funds'],
  ['funds_being_processed', 'funds-arrived'],
  ['funds_arrived', 'funds-arrived'],
  ['trade_settling', 'funds-arrived'],
  ['trade_settled', 'settled'],
  ['closed', 'settled'],
])

/** Rounding leaves nothing of the smallest amounts on the other side. */
function parsePrice(
  answer: Pick<wire.DetailedRate, 'client_buy_amount' | 'client_sell_amount' | 'fixed_side'>,
  currencies: { readonly buyCurrency: string; readonly sellCurrency: string },
): ProviderRate | undefined {
  const buy = moneyOf(answer.client_buy_amount, currencies.buyCurrency)
  const sell = moneyOf(answer.client_sell_amount, currencies.sellCurrency)
  if (buy === undefined || sell === undefined || buy.minor < 0n || sell.minor < 0n) {
    return undefined
  }
  return { buy, sell, fixedSide: answer.fixed_side }
}

/** Parses a timestamp such as `2026-04-22T14:00:31Z`; null for anything else. */
export function instantOf(text: string | null | undefined): Temporal.Instant | null {
  try {
    return text === null || text === undefined ? null : Temporal.Instant.from(text)
  } catch {
    return null
  }
}

const PAYOUT_STATES: ReadonlyMap<string, PayoutState> = new Map([
  ['new', 'waiting'],
  ['awaiting_authorisation', 'waiting'],
  ['authorised', 'waiting'],
  ['ready_to_send', 'waiting'],
  ['submitted', 'sent'],
  // Released after a suspension: in transit, and completed later.
  ['released', 'sent'],
  ['completed', 'completed'],
  ['suspended', 'held'],
  ['failed', 'failed'],
  ['deleted', 'deleted'],
])

/** Undefined when an amount is invalid. */
export function payoutOf(payment: wire.Payment): ProviderPayout | undefined {
  const amount = moneyOf(payment.amount, payment.currency)
  const returned = moneyOf(payment.failure_returned_amount || '0', payment.currency)
  if (amount === undefined || returned === undefined) {
    return undefined
  }
  return {
    id: payment.id,
    state: PAYOUT_STATES.get(payment.status) ?? null,
    providerStatus: payment.status,
    amount,
    requestId: payment.unique_request_id || null,
    failureReason: payment.failure_reason ? redactAccountNumbers(payment.failure_reason) : null,
    // Completed payouts have this field too.
    returned: payment.status === 'failed' && returned.minor > 0n ? returned : null,
  }
}

/** Undefined when the amount or time is invalid: nothing can be allocated of an amount that is not positive. */
export function receiptOf(transaction: wire.FundingTransaction): ProviderInboundFunds | undefined {
  const amount = moneyOf(transaction.amount, transaction.currency)
  const receivedAt = instantOf(transaction.completed_at) ?? instantOf(transaction.created_at)
  if (amount === undefined || amount.minor <= 0n || receivedAt === null) {
    return undefined
  }
  return {
    id: transaction.id,
    amount,
    reference: transaction.additional_information || null,
    receivedAt,
  }
}
