/** Gives a quote: asks the provider for a price that it holds, and keeps everything that booking it takes. */
import { requirementsOf } from '../../countries/destinations/country-requirements.ts'
import { destinationProblems } from '../../countries/requirements/destination-problems.ts'
import { refuse } from '../../platform/http/errors/api-error.ts'
import { newId } from '../../platform/ids.ts'
import type { Money } from '../../platform/money.ts'
import { payoutDate, SERVICE_ZONE } from '../availability/fx-calendar.ts'
import { findIntermediary } from '../find-intermediary.ts'
import type { FxContext } from '../fx-context.ts'
import type { FxProvider } from '../provider/fx-provider.ts'
import type { IntermediaryAccount } from '../providers/beneficiary.ts'
import type { ProviderQuote, QuoteAsked } from '../providers/conversion.ts'
import { FxRefusal } from '../providers/fx-provider-error.ts'
import { crossRate, referenceRates } from '../rates/get-reference-rates.ts'
import { markupOver, withMargin, withoutMargin } from '../rates/rate-arithmetic.ts'
import { type ExchangeAsked, termsOf } from './exchange-request.ts'
import { QUOTE_LIFE_SECONDS, type Quote } from './quote.ts'
import { insertQuote } from './quote-store.ts'
import { newReferenceCode } from './reference-code.ts'

const PAYOUT_BANK_DAYS = 2
/** Currencies have holidays of their own, which the provider knows: so many days are tried. */
const CONVERSION_DAYS_TRIED = 3

/**
 * Takes an exchange that is sound by the rules. Throws `SERVICE_CLOSED` without rates of late, `unavailable` without a
 * provider, and what the provider refuses as `FxRefusal`.
 */
export async function giveQuote(
  context: FxContext,
  { partnerId }: { readonly partnerId: string },
  asked: ExchangeAsked,
): Promise<Quote> {
  const provider = requireProvider(context)
  const rates = await referenceRates(context)
  const terms = termsOf(asked)
  const intermediary = await intermediaryOf(context, provider, asked)
  await provider.validateBeneficiary(terms.beneficiary)
  const held = await heldPrice(context, provider, asked)
  requireInformation(asked, held.buy)
  const cost = costOf(asked, held, context.config.fxMarginPercent)
  requireAmounts(held, cost)
  const createdAt = context.clock.now()
  const reference = crossRate(rates, held.buy.currency, cost.currency) ?? null
  const quote: Quote = {
    ...{ partnerId, id: newId(), company: asked.company, endToEndId: asked.endToEndId, provider: provider.name },
    ...{ fundingCountry: asked.fundingCountry, fundingDate: asked.dueDate, cost, terms, intermediary, createdAt },
    held: bookable(held),
    markupPercent: reference === null ? null : markupOver(cost, held.buy, reference),
    referenceCode: newReferenceCode(),
    expiresAt: earlier(createdAt.add({ seconds: lifeSeconds(context, asked) }), held.holdsUntil),
  }
  await insertQuote(context, quote)
  return quote
}

/** Makes sure that the provider would take the exchange as it stands; nothing is held. Throws as `giveQuote` does. */
export async function checkQuotable(context: FxContext, asked: ExchangeAsked): Promise<{ readonly cost: Money }> {
  const provider = requireProvider(context)
  await referenceRates(context)
  await intermediaryOf(context, provider, asked)
  await provider.validateBeneficiary(termsOf(asked).beneficiary)
  const { fxMarginPercent } = context.config
  const price = await onTradedDay(context, asked, (conversionDate) =>
    provider.rate({ ...pricedOf(asked, fxMarginPercent), conversionDate }),
  )
  requireInformation(asked, price.buy)
  const cost = costOf(asked, price, fxMarginPercent)
  requireAmounts(price, cost)
  return { cost }
}

/** When a quoted exchange is usually paid out. */
export function payoutDateOf({ held, fundingDate, fundingCountry, terms }: Quote): Temporal.PlainDate {
  const { bankCountry, currency } = terms.beneficiary
  const bankDays = requirementsOf(bankCountry)?.payoutBankDays ?? PAYOUT_BANK_DAYS
  const usual = payoutDate(fundingDate, { country: fundingCountry, currency, bankDays })
  const bought = held.conversionDate ?? usual
  return Temporal.PlainDate.compare(bought, usual) > 0 ? bought : usual
}

function requireProvider({ fx }: FxContext): FxProvider {
  if (fx === null) {
    throw refuse('unavailable', 'No provider of exchange is configured here: no money is exchanged')
  }
  return fx
}

async function intermediaryOf(
  context: FxContext,
  provider: FxProvider,
  { fundingCurrency: currency, fundingCountry: country }: ExchangeAsked,
): Promise<IntermediaryAccount> {
  const account = await findIntermediary(context, provider, { currency, country })
  if (account === null) {
    const message = `${currency} cannot be paid in from ${country}`
    throw new FxRefusal('invalid', message, { problems: [{ part: 'sellCurrency', code: 'no_account', message }] })
  }
  return account
}

async function heldPrice(context: FxContext, provider: FxProvider, asked: ExchangeAsked): Promise<ProviderQuote> {
  const priced = { ...pricedOf(asked, context.config.fxMarginPercent), holdSeconds: lifeSeconds(context, asked) }
  return await onTradedDay(context, asked, (conversionDate) => provider.quote({ ...priced, conversionDate }))
}

/** What the provider is asked to price: of what is paid, what is left for it. */
function pricedOf(asked: ExchangeAsked, marginPercent: string): Omit<QuoteAsked, 'conversionDate' | 'holdSeconds'> {
  const { fixedSide, amount, fundingCurrency, receiver } = asked
  return {
    buyCurrency: receiver.destination.currency,
    sellCurrency: fundingCurrency,
    fixedSide,
    amount: fixedSide === 'sell' ? withoutMargin(amount, marginPercent) : amount,
  }
}

/** Money that is due today is bought on the provider's usual day; money that comes later, two bank days after it. */
async function onTradedDay<Result>(
  context: FxContext,
  asked: ExchangeAsked,
  ask: (conversionDate: Temporal.PlainDate | null) => Promise<Result>,
): Promise<Result> {
  if (isDueToday(context, asked)) {
    return await ask(null)
  }
  const { fundingCountry: country, receiver, dueDate } = asked
  const { currency } = receiver.destination
  const dayAfter = (more: number) => payoutDate(dueDate, { country, currency, bankDays: PAYOUT_BANK_DAYS + more })
  for (let more = 0; more < CONVERSION_DAYS_TRIED - 1; more += 1) {
    try {
      return await ask(dayAfter(more))
    } catch (error) {
      if (!(error instanceof FxRefusal) || error.kind !== 'due-date-refused') {
        throw error
      }
    }
  }
  return await ask(dayAfter(CONVERSION_DAYS_TRIED - 1))
}

/** What is paid: as asked, or the provider's price with the margin on top. */
function costOf(asked: ExchangeAsked, { sell }: Pick<ProviderQuote, 'sell'>, marginPercent: string): Money {
  return asked.fixedSide === 'sell' ? asked.amount : withMargin(sell, marginPercent)
}

/** Of the smallest amounts nothing may be left on the other side. */
function requireAmounts({ buy, sell }: Pick<ProviderQuote, 'buy' | 'sell'>, cost: Money): void {
  if (buy.minor <= 0n || sell.minor <= 0n || cost.minor <= 0n) {
    throw new FxRefusal('limit', 'The amount is too small to be exchanged')
  }
}

/** Countries set limits on what arrives, which is known by the price alone where the order says what is paid for it. */
function requireInformation({ receiver: { destination } }: ExchangeAsked, buy: Money): void {
  const missing = destinationProblems({ ...destination, amount: buy }).flatMap(({ fault, reason }) => {
    const message = `by the amount that is paid out it ${reason}`
    return fault.kind === 'information-missing' ? [{ part: 'purposeCode', code: fault.kind, message } as const] : []
  })
  if (missing.length > 0) {
    throw new FxRefusal('invalid', 'The amount that is paid out demands more to be told', { problems: missing })
  }
}

function bookable({ providerQuoteId, buy, sell, fixedSide, conversionDate }: ProviderQuote): Quote['held'] {
  return { providerQuoteId, buy, sell, fixedSide, conversionDate }
}

function lifeSeconds(context: FxContext, asked: ExchangeAsked): number {
  return isDueToday(context, asked) ? QUOTE_LIFE_SECONDS.dueToday : QUOTE_LIFE_SECONDS.dueLater
}

function isDueToday({ clock }: FxContext, { dueDate }: ExchangeAsked): boolean {
  return dueDate.equals(clock.today(SERVICE_ZONE))
}

function earlier(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(one, other) < 0 ? one : other
}
