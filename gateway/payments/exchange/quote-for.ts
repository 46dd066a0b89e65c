/** Finds the quote that a cross-border payment books: the one it names, or a fresh one. */
import type { CrossBorderPayment } from '../../../contract/cross-border-payment.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { Invalid, invalid, type Problem } from '../../foundation/http/refusal.ts'
import { beneficiaryOf, type ExchangeAsked } from '../../fx/exchange-asked.ts'
import { findQuote } from '../../fx/find-quote.ts'
import type { FxContext } from '../../fx/fx-context.ts'
import { giveQuote } from '../../fx/give-quote.ts'
import { FxRefusal } from '../../fx/provider/fx-refusal.ts'
import { isOver, type Quote } from '../../fx/quote.ts'
import { exchangeAskedOf } from './exchange-asked-of.ts'
import { refusalOfExchange } from './refusal-of-exchange.ts'

/** Throws 422 for a quote that is over or is of something else, and what the provider refuses in the codes of payments. */
export async function quoteFor(context: FxContext, caller: ConsentCaller, ordered: CrossBorderPayment): Promise<Quote> {
  const asked = exchangeAskedOf(ordered, caller)
  if (ordered.quoteId !== undefined) {
    return await requireQuote(context, caller, ordered.quoteId, asked)
  }
  try {
    return await giveQuote(context, caller, asked)
  } catch (error) {
    throw error instanceof FxRefusal ? refusalOfExchange(error) : error
  }
}

async function requireQuote(
  context: FxContext,
  { partnerId }: ConsentCaller,
  quoteId: string,
  asked: ExchangeAsked,
): Promise<Quote> {
  const quote = await findQuote(context, { partnerId, id: quoteId.toLowerCase() })
  if (quote === undefined) {
    throw invalid('.quoteId', 'is no quote of yours')
  }
  if (isOver(quote, context.clock.now())) {
    throw invalid('.quoteId', `is over since ${quote.expiresAt}`)
  }
  const problems = differences(quote, asked)
  if (problems.length > 0) {
    throw new Invalid(problems)
  }
  return quote
}

/** A price is given for one payment: who pays, what, when, and to whom. */
function differences(quote: Quote, asked: ExchangeAsked): readonly Problem[] {
  const { held, cost, company, terms, fundingDate } = quote
  const problem = (path: string, quoted: string) =>
    ({ code: 'InvalidRequest', path, reason: `is not what was quoted: ${quoted}` }) as const
  const isSameAmount = held.buy.minor === asked.amount.minor && held.buy.currency === asked.amount.currency
  return [
    ...(company.organisationNumber === asked.company.organisationNumber
      ? []
      : [problem('.quoteId', 'another company')]),
    ...(cost.currency === asked.fundingCurrency ? [] : [problem('.from.currency', cost.currency)]),
    ...(isSameReceiver(terms.beneficiary, beneficiaryOf(asked.receiver)) ? [] : [problem('.to', 'another receiver')]),
    ...(isSameAmount ? [] : [problem('.amount', `${held.buy.currency}, and another amount`)]),
    ...(fundingDate.equals(asked.dueDate) ? [] : [problem('.dueDate', fundingDate.toString())]),
  ]
}

type Receiver = Quote['terms']['beneficiary']

/** The account that is paid, and in whose name. */
function isSameReceiver(one: Receiver, other: Receiver): boolean {
  const numberOf = ({ account }: Receiver) => ('iban' in account ? account.iban : account.bban)
  return numberOf(one) === numberOf(other) && one.bic === other.bic && one.name === other.name
}
