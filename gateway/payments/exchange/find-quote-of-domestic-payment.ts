/** Finds the quote that a domestic payment books: one to its intermediary account, with its reference code in the message. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { checkAccountNumber } from '../../countries/account-number.ts'
import type { FxContext } from '../../fx/fx-context.ts'
import { quoteNamedIn } from '../../fx/quotes/find-quote-by-reference.ts'
import { isOver, type Quote } from '../../fx/quotes/quote.ts'
import { referenceCodesIn } from '../../fx/quotes/reference-code.ts'
import { printTimestamp } from '../../platform/format-timestamp.ts'
import { Invalid, type Problem } from '../../platform/http/errors/api-error.ts'
import { parseMoney, printMoney } from '../../platform/money.ts'
import { numberOf } from './funding-order.ts'

/**
 * Undefined for any other payment; without a code in the message nothing is looked up. Throws 422 where it goes to the
 * account of a quote and is not what that says: the provider would send the money back.
 */
export async function quoteBookedBy(
  context: FxContext,
  caller: ConsentCaller,
  ordered: DomesticPayment,
): Promise<Quote | undefined> {
  const remittance = ordered.remittanceInformation
  const message = remittance?.type === 'message' ? remittance.value : ''
  if (context.fx === null || referenceCodesIn(message).length === 0) {
    return undefined
  }
  const quote = await quoteNamedIn(context, message)
  if (quote === undefined || quote.partnerId !== caller.partnerId || !isPaidTo(quote, ordered)) {
    return undefined
  }
  const problems = differences(quote, caller, ordered, context.clock.now())
  if (problems.length > 0) {
    throw new Invalid(problems)
  }
  return quote
}

function isPaidTo({ intermediary }: Quote, { to }: DomesticPayment): boolean {
  const paid = checkAccountNumber(intermediary.country, to.account.bban)
  return paid.ok && paid.bban === numberOf(intermediary)
}

function differences(
  quote: Quote,
  { consent }: ConsentCaller,
  { amount, dueDate }: DomesticPayment,
  now: Temporal.Instant,
): readonly Problem[] {
  const { cost, company, fundingDate, expiresAt } = quote
  const paid = parseMoney(amount.amount, amount.currency)
  const reference = '.remittanceInformation.value'
  const problem = (code: Problem['code'], path: string, reason: string): Problem => ({ code, path, reason })
  const { amount: units, currency } = printMoney(cost)
  return [
    ...(paid?.minor === cost.minor && paid.currency === cost.currency
      ? []
      : [problem('InvalidAmount', '.amount', `is not what the quote costs: ${units} ${currency}`)]),
    ...(dueDate === fundingDate.toString()
      ? []
      : [problem('InvalidDueDate', '.dueDate', `is not the day of the quote: ${fundingDate}`)]),
    ...(isOver(quote, now)
      ? [problem('InvalidRemittanceInfo', reference, `names a quote that is over since ${printTimestamp(expiresAt)}`)]
      : []),
    ...(company.organisationNumber === consent.organisationNumber
      ? []
      : [problem('InvalidRemittanceInfo', reference, 'names a quote of another company')]),
  ]
}
