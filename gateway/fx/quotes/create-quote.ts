/** Creates a quote: requests a held price from the FX provider, and stores everything that booking it needs. */

import type { Context } from '../../context.ts'
import { destinationErrors } from '../../countries/destinations/destination-validation.ts'
import { requirementsOf } from '../../countries/destinations/requirements-table.ts'
import { earlierOf } from '../../platform/clock.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { newId } from '../../platform/ids.ts'
import type { Money } from '../../platform/money.ts'
import { exchangeAmountError } from '../availability/exchange-limit-validation.ts'
import { payoutDate, SERVICE_ZONE, serviceStatusAt } from '../availability/service-hours.ts'
import type { IntermediaryAccount } from '../providers/beneficiary.ts'
import type { ProviderRate, RateRequest } from '../providers/conversion.ts'
import type { FxProvider } from '../providers/fx-provider.ts'
import { FxProviderError } from '../providers/fx-provider-error.ts'
import type { ReferenceRates } from '../rates/ecb-rate-file.ts'
import { crossRate, getReferenceRates } from '../rates/get-reference-rates.ts'
import { markupOver, withMargin, withoutMargin } from '../rates/rate-arithmetic.ts'
import { QUOTE_VALIDITY_SECONDS, type Quote } from '../store/quote.ts'
import { insertQuote } from '../store/quote-store.ts'
import { type ExchangeRequest, termsOf } from './exchange-order.ts'
import { findIntermediaryAccount } from './intermediary-account.ts'
import { newReferenceCode } from './reference-code.ts'

const PAYOUT_BANK_DAYS = 2
/** The provider has the holidays of currencies, we do not: so many days are tried. */
const CONVERSION_DAYS_TRIED = 3

/**
 * `request` must have passed validation. Throws `SERVICE_CLOSED` without recent reference rates, `unavailable` without
 * a provider, and the provider's rejection as `FxProviderError`.
 */
export async function createQuote(
  context: Context,
  { partnerId }: { readonly partnerId: string },
  request: ExchangeRequest,
): Promise<Quote> {
  const holdSeconds = isDueToday(context, request) ? QUOTE_VALIDITY_SECONDS.dueToday : QUOTE_VALIDITY_SECONDS.dueLater
  const { price, ...priced } = await priceExchange(context, request, (provider, rate) =>
    provider.quote({ ...rate, holdSeconds }),
  )
  const { holdsUntil, ...held } = price
  const { provider, rates, terms, intermediary, cost } = priced
  const createdAt = context.clock.now()
  const reference = crossRate(rates, held.buy.currency, cost.currency) ?? null
  const quote: Quote = {
    ...{ partnerId, id: newId(), company: request.company, endToEndId: request.endToEndId, provider: provider.name },
    ...{ fundingCountry: request.fundingCountry, fundingDate: request.dueDate, cost, terms, intermediary, createdAt },
    held,
    markupPercent: reference === null ? null : markupOver(cost, held.buy, reference),
    referenceCode: newReferenceCode(),
    expiresAt: earlierOf(createdAt.add({ seconds: holdSeconds }), holdsUntil),
  }
  await insertQuote(context, quote)
  return quote
}

/** Checks that the provider would accept the exchange, without a held price. Throws as `createQuote` does. */
export async function validateExchangeRequest(
  context: Context,
  request: ExchangeRequest,
): Promise<{ readonly cost: Money }> {
  return await priceExchange(context, request, (provider, rate) => provider.rate(rate))
}

type PricedExchange<Price> = Pick<Quote, 'terms' | 'intermediary' | 'cost'> & {
  readonly provider: FxProvider
  readonly rates: ReferenceRates
  readonly price: Price
}

/** Requests the price, and checks everything that a quote requires before and after it. */
async function priceExchange<Price extends Pick<ProviderRate, 'buy' | 'sell'>>(
  context: Context,
  request: ExchangeRequest,
  requestPrice: (provider: FxProvider, rate: RateRequest) => Promise<Price>,
): Promise<PricedExchange<Price>> {
  const provider = requireProvider(context)
  const rates = await getReferenceRates(context)
  const terms = termsOf(request)
  const intermediary = await intermediaryOf(context, provider, request)
  await provider.validateBeneficiary(terms.beneficiary)
  const { fxMarginPercent } = context.config
  const price = await onConversionDay(context, request, (conversionDate) =>
    requestPrice(provider, { ...rateRequestOf(request, fxMarginPercent), conversionDate }),
  )
  requireInformation(request, price.buy)
  requireWithinLimit(context, request, price.buy)
  // What the payer pays: the requested amount, or the provider's price plus the margin.
  const cost = request.fixedSide === 'sell' ? request.amount : withMargin(price.sell, fxMarginPercent)
  requireAmounts(price, cost)
  return { provider, rates, terms, intermediary, price, cost }
}

/** The expected date of the payout. */
export function payoutDateOf({ held, fundingDate, fundingCountry, terms }: Quote): Temporal.PlainDate {
  const { bankCountry, currency } = terms.beneficiary
  const bankDays = requirementsOf(bankCountry)?.payoutBankDays ?? PAYOUT_BANK_DAYS
  const usual = payoutDate(fundingDate, { country: fundingCountry, currency, bankDays })
  const bought = held.conversionDate ?? usual
  return Temporal.PlainDate.compare(bought, usual) > 0 ? bought : usual
}

function requireProvider({ fx }: Context): FxProvider {
  if (fx === null) {
    throw apiError('unavailable', 'No FX provider is configured: currency exchange is not available')
  }
  return fx
}

async function intermediaryOf(
  context: Context,
  provider: FxProvider,
  { fundingCurrency: currency, fundingCountry: country }: ExchangeRequest,
): Promise<IntermediaryAccount> {
  const account = await findIntermediaryAccount(context, provider, { currency, country })
  if (account === null) {
    const message = `${currency} cannot be paid in from ${country}`
    throw new FxProviderError('invalid', message, {
      validationErrors: [{ part: 'sellCurrency', code: 'no_account', message }],
    })
  }
  return account
}

/** The rate request; a fixed cost is reduced by our margin first. */
function rateRequestOf(request: ExchangeRequest, marginPercent: string): Omit<RateRequest, 'conversionDate'> {
  const { fixedSide, amount, fundingCurrency, receiver } = request
  return {
    buyCurrency: receiver.destination.currency,
    sellCurrency: fundingCurrency,
    fixedSide,
    amount: fixedSide === 'sell' ? withoutMargin(amount, marginPercent) : amount,
  }
}

/** Due today: the provider's default conversion date. Later: the first tradable day from two bank days after that. */
async function onConversionDay<Result>(
  context: Context,
  request: ExchangeRequest,
  call: (conversionDate: Temporal.PlainDate | null) => Promise<Result>,
): Promise<Result> {
  if (isDueToday(context, request)) {
    return await call(null)
  }
  const { fundingCountry: country, receiver, dueDate } = request
  const { currency } = receiver.destination
  const dayAfter = (more: number) => payoutDate(dueDate, { country, currency, bankDays: PAYOUT_BANK_DAYS + more })
  for (let more = 0; more < CONVERSION_DAYS_TRIED - 1; more += 1) {
    try {
      return await call(dayAfter(more))
    } catch (error) {
      if (!(error instanceof FxProviderError) || error.kind !== 'due-date-rejected') {
        throw error
      }
    }
  }
  return await call(dayAfter(CONVERSION_DAYS_TRIED - 1))
}

/** Rounding can leave nothing of the smallest amounts on the other side. */
function requireAmounts({ buy, sell }: Pick<ProviderRate, 'buy' | 'sell'>, cost: Money): void {
  if (buy.minor <= 0n || sell.minor <= 0n || cost.minor <= 0n) {
    throw new FxProviderError('limit', 'The amount is too small to be exchanged')
  }
}

/** Some countries require more above a payout amount, which is only known with the price if the cost is fixed. */
function requireInformation({ receiver: { destination } }: ExchangeRequest, buy: Money): void {
  const missing = destinationErrors({ ...destination, amount: buy }).flatMap(({ fault, reason }) => {
    const message = `for this payout amount it ${reason}`
    return fault.kind === 'information-missing' ? [{ part: 'purposeCode', code: fault.kind, message } as const] : []
  })
  if (missing.length > 0) {
    throw new FxProviderError('invalid', 'The payout amount requires additional information', {
      validationErrors: missing,
    })
  }
}

/** The limit of the payout currency, which is checked before only if the payout is fixed. */
function requireWithinLimit(context: Context, { dueDate, fundingCountry }: ExchangeRequest, buy: Money): void {
  const above = exchangeAmountError({ amount: buy, dueDate }, serviceStatusAt(context, fundingCountry))
  if (above !== undefined) {
    const message = `the payout ${above.reason}`
    throw new FxProviderError('invalid', message, {
      validationErrors: [{ part: 'amount', code: above.fault, message }],
    })
  }
}

function isDueToday({ clock }: Context, { dueDate }: ExchangeRequest): boolean {
  return dueDate.equals(clock.today(SERVICE_ZONE))
}
