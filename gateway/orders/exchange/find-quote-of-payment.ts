/** Finds the quote that a payment books: that of a cross-border payment, which names one or gets a new one, or of the domestic payment that funds it. */
import { isDeepStrictEqual } from 'node:util'
import { creditorAccountNumber, type DomesticOrder } from '../../banks/connector/bank-order.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { spellingsOfBic } from '../../countries/bic.ts'
import { FxProviderError } from '../../fx/providers/fx-provider-error.ts'
import { createQuote } from '../../fx/quotes/create-quote.ts'
import { companyPayer, type ExchangeRequest, termsOf } from '../../fx/quotes/exchange-order.ts'
import { findQuote, findQuoteByReferenceText } from '../../fx/quotes/find-quote.ts'
import { intermediaryAccountNumber } from '../../fx/quotes/intermediary-account.ts'
import { referenceCodesIn } from '../../fx/quotes/reference-code.ts'
import { isQuoteExpired, type Quote } from '../../fx/store/quote.ts'
import { formatTimestamp } from '../../platform/clock.ts'
import { InvalidRequestError, invalidRequest, type ValidationError } from '../../platform/http/errors/api-error.ts'
import { formatMoney } from '../../platform/money.ts'
import type { ValidCrossBorderPayment } from '../parse/cross-border-parts.ts'
import { exchangeError } from './exchange-errors.ts'

/**
 * The payment determines the payout; the creditor of a quote that it names must be identical, because the provider has
 * validated it. Throws 422 for a quote that has expired or differs from the payment, and the provider's errors in the
 * codes of payments.
 */
export async function findOrCreateQuote(
  context: Context,
  caller: ConsentCaller,
  payment: ValidCrossBorderPayment,
): Promise<Quote> {
  const request = exchangeRequestOf(payment, caller)
  const { quoteId } = payment.ordered
  if (quoteId !== undefined) {
    return await requireQuote(context, caller, quoteId, request)
  }
  try {
    return await createQuote(context, caller, request)
  } catch (error) {
    throw error instanceof FxProviderError ? exchangeError(error) : error
  }
}

async function requireQuote(
  context: Context,
  { partnerId }: ConsentCaller,
  quoteId: string,
  request: ExchangeRequest,
): Promise<Quote> {
  const quote = await findQuote(context, { partnerId, id: quoteId.toLowerCase() })
  if (quote === undefined) {
    throw invalidRequest('.quoteId', 'is not one of your quotes')
  }
  if (isQuoteExpired(quote, context.clock.now())) {
    throw invalidRequest('.quoteId', `expired at ${formatTimestamp(quote.expiresAt)}`)
  }
  const errors = differencesFromRequest(quote, request)
  if (errors.length > 0) {
    throw new InvalidRequestError(errors)
  }
  return { ...quote, terms: termsOf(request) }
}

/** A rate applies to one payment: debtor, amount, date and creditor. */
function differencesFromRequest(quote: Quote, request: ExchangeRequest): readonly ValidationError[] {
  const { held, cost, company, terms, fundingCountry, fundingDate } = quote
  const { minor, currency } = held.buy
  const isSameCompany = isDeepStrictEqual(company, request.company)
  const isSameAmount = minor === request.amount.minor && currency === request.amount.currency
  const [quotedReceiver, receiver] = [terms.beneficiary, termsOf(request).beneficiary]
  const isSameBank = spellingsOfBic(receiver.bic ?? '').includes(quotedReceiver.bic ?? '')
  const isSameReceiver = isDeepStrictEqual(
    quotedReceiver,
    isSameBank ? { ...receiver, bic: quotedReceiver.bic } : receiver,
  )
  const ofCompany = 'it is for another company or another debtor country'
  const comparisons = [
    ['.quoteId', isSameCompany && fundingCountry === request.fundingCountry, ofCompany],
    ['.from.currency', cost.currency === request.fundingCurrency, cost.currency],
    ['.to', isSameReceiver, 'another receiver'],
    ['.amount', isSameAmount, `${currency}, and another amount`],
    ['.dueDate', fundingDate.equals(request.dueDate), fundingDate.toString()],
  ] as const
  return comparisons.flatMap(([path, isSame, quoted]) =>
    isSame ? [] : [{ code: 'InvalidRequest', path, reason: `differs from the quote: ${quoted}` } as const],
  )
}

/** The amount that the creditor receives is fixed. */
function exchangeRequestOf(
  { ordered: { from, to, metadata }, amount, dueDate, destination }: ValidCrossBorderPayment,
  { consent }: Pick<ConsentCaller, 'consent'>,
): ExchangeRequest {
  const { countryCode, organisationNumber } = consent
  return {
    company: { countryCode, organisationNumber },
    endToEndId: metadata.endToEndId,
    payer: companyPayer(from, organisationNumber),
    fundingCountry: countryCode,
    fundingCurrency: from.currency,
    fixedSide: 'buy',
    amount,
    dueDate,
    receiver: { name: to.contactInformation.name, destination },
  }
}

/**
 * Returns undefined for any other payment; without a code in the message nothing is looked up. Throws 422 for a payment
 * to the account of a quote that differs from it: the provider would return the money.
 */
export async function findQuoteOfDomesticPayment(
  context: Context,
  caller: ConsentCaller,
  order: DomesticOrder,
): Promise<Quote | undefined> {
  const { remittance } = order
  const message = remittance?.type === 'message' ? remittance.value : ''
  if (context.fx === null || referenceCodesIn(message).length === 0) {
    return undefined
  }
  const quote = await findQuoteByReferenceText(context, message)
  if (quote === undefined || quote.partnerId !== caller.partnerId || !isPaidTo(quote, order)) {
    return undefined
  }
  const errors = differencesFromQuote(quote, caller, order, context.clock.now())
  if (errors.length > 0) {
    throw new InvalidRequestError(errors)
  }
  return quote
}

function isPaidTo({ intermediary }: Quote, { creditor }: DomesticOrder): boolean {
  return creditorAccountNumber(creditor.account) === intermediaryAccountNumber(intermediary)
}

function differencesFromQuote(
  quote: Quote,
  { consent }: ConsentCaller,
  { amount: paid, dueDate }: DomesticOrder,
  now: Temporal.Instant,
): readonly ValidationError[] {
  const { cost, company, fundingDate, expiresAt } = quote
  const { amount: units, currency } = formatMoney(cost)
  const isSameAmount = paid.minor === cost.minor && paid.currency === cost.currency
  const { countryCode, organisationNumber } = consent
  const isSameCompany = isDeepStrictEqual(company, { countryCode, organisationNumber })
  const [onDate, expiry] = [fundingDate.toString(), formatTimestamp(expiresAt)]
  const reference = ['InvalidRemittanceInfo', '.remittanceInformation.value'] as const
  const comparisons = [
    ['InvalidAmount', '.amount', isSameAmount, `differs from the cost of the quote: ${units} ${currency}`],
    ['InvalidDueDate', '.dueDate', dueDate.equals(fundingDate), `differs from the date of the quote: ${onDate}`],
    [...reference, !isQuoteExpired(quote, now), `names a quote that expired at ${expiry}`],
    [...reference, isSameCompany, 'names a quote of another company'],
  ] as const
  return comparisons.flatMap(([code, path, isSame, reason]) => (isSame ? [] : [{ code, path, reason }]))
}
