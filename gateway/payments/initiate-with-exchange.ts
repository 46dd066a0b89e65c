/** Initiates a cross-border payment with exchange: books a quote and submits the funding order to the debtor's bank. */

import type { CrossBorderInitiated } from '../../contract/payments/cross-border-operations.ts'
import type { CrossBorderPayment } from '../../contract/payments/cross-border-payment.ts'
import type { PaymentWarning } from '../../contract/payments/payment-operations.ts'
import { requireAccountOnConsent } from '../accounts/require-consent-account.ts'
import { creditorAccountNumber as creditorNumberOf, type DomesticOrder } from '../banks/connector/bank-order.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import type { Quote } from '../fx/quotes/quote.ts'
import { referenceCodeUnsupportedReason } from '../fx/quotes/reference-code.ts'
import { bookDealForPayment } from '../orders/exchange/book-deal-for-payment.ts'
import { checkDuplicateExchange } from '../orders/exchange/check-duplicate-exchange.ts'
import { quoteConflictError } from '../orders/exchange/exchange-errors.ts'
import { findOrCreateQuote } from '../orders/exchange/find-or-create-quote.ts'
import { fundingOrderOf } from '../orders/exchange/funding-order.ts'
import type { CrossBorderInstruction } from '../orders/parse/parse-cross-border-payment.ts'
import { recordAcknowledgement } from '../orders/submit/record-acknowledgement.ts'
import { createSubmission, type Submission } from '../orders/submit/submission.ts'
import { submitOrder } from '../orders/submit/submit-order.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { balanceWarning } from './balance-warning.ts'
import { exchangeTermsOf } from './exchange-details.ts'
import { type Initiation, requireDomesticPayments } from './initiate-domestic-payment.ts'
import { fundingOrderError } from './order-errors.ts'

/**
 * Calls to the bank precede the quote, because the time of the quote belongs to the user's signature. Then the payment
 * is stored, the deal booked and the order submitted, in this order; after a crash in between, recovery abandons the
 * payment and cancels the deal.
 */
export async function initiateWithExchange(
  context: Context,
  caller: ConsentCaller,
  instruction: CrossBorderInstruction,
  initiation: Initiation,
): Promise<CrossBorderInitiated> {
  const { bank, findAccount } = initiation
  if (context.fx === null) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', 'Currency exchange is not available: no FX provider is configured')
  }
  const product = requireDomesticPayments(context, bank)
  const unsupportedReason = referenceCodeUnsupportedReason(bank)
  if (unsupportedReason !== undefined) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', unsupportedReason)
  }
  const { ordered, debtor, orderedAt: localNow } = instruction
  const account = await requireAccountOnConsent(findAccount, caller, { ...debtor, currency: ordered.from.currency })
  const warnings = [...(await checkDuplicateExchange(context, caller, ordered)), ...instruction.warnings]
  const quote = await findOrCreateQuote(context, caller, instruction)
  const order = fundingOrderOf(instruction, quote, bank, account.iban)
  const submission = await recordFundingSubmission(context, caller, { ordered, order, quote, warnings }, initiation)
  const [balanceWarnings] = await Promise.all([
    balanceWarning(context, caller, { ...order, account, localNow }),
    bookDealForPayment(context, submission, quote),
  ])
  const submissionWithWarnings = { ...submission, warnings: [...submission.warnings, ...balanceWarnings] }
  const acknowledged = await submitOrder(context, caller, submissionWithWarnings, {
    bank,
    product,
    toApiError: fundingOrderError,
  })
  return await recordAcknowledgement(context, submissionWithWarnings, acknowledged, initiation)
}

/** The parts of a payment that books a quote. */
type Funding = {
  readonly ordered: CrossBorderPayment
  readonly order: DomesticOrder
  readonly quote: Quote
  readonly warnings: readonly PaymentWarning[]
}

async function recordFundingSubmission(
  context: Context,
  caller: ConsentCaller,
  { ordered, order, quote, warnings }: Funding,
  initiation: Initiation,
): Promise<Submission> {
  const exchange = { quoteId: quote.id, deadlineAt: quote.expiresAt, terms: exchangeTermsOf(quote) }
  const creditorNumber = creditorNumberOf(order.creditor.account)
  const request = { type: 'CrossBorder', ordered, order, creditorNumber, warnings, exchange } as const
  try {
    return await createSubmission(context, caller, request, initiation)
  } catch (error) {
    throw quoteConflictError(error)
  }
}
