/** Initiates a cross-border payment: validates, stores and submits it; with exchange, submits its funding order. */
import type { CrossBorderInitiated } from '../../contract/payments/cross-border-operations.ts'
import type { Bank } from '../banks/connector/bank.ts'
import { creditorAccountNumber } from '../banks/connector/bank-order.ts'
import type { CrossBorderPaymentProduct } from '../banks/connector/connector.ts'
import { requireInternationalPayments } from '../companies/require-company.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { requireAccountOnConsent } from '../consents/require-consent.ts'
import type { Context } from '../context.ts'
import { referenceCodeUnsupportedReason } from '../fx/quotes/reference-code.ts'
import { CROSS_BORDER } from '../orders/exchange/exchange-errors.ts'
import { findOrCreateQuote } from '../orders/exchange/find-quote-of-payment.ts'
import { fundingOrderOf } from '../orders/exchange/funding-order.ts'
import { crossBorderOrderOf } from '../orders/parse/cross-border-parts.ts'
import {
  balanceWarning,
  duplicateExchangeWarnings,
  requireNoOpenExchange,
} from '../orders/parse/cross-border-warnings.ts'
import { withListedDebtor } from '../orders/parse/domestic-payment-parts.ts'
import type { CrossBorderInstruction } from '../orders/parse/parse-cross-border-payment.ts'
import { crossBorderOrderError, fundingOrderError } from '../orders/submit/order-errors.ts'
import type { Initiation } from '../orders/submit/submission.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { exchangeTermsOf } from './exchange-details.ts'
import { requireDomesticPayments, submitPayment } from './initiate-domestic-payment.ts'

/**
 * Submits the order once, after the submission is stored and without holding a database connection. Throws 503 with the
 * payment's id when the outcome at the bank is unknown.
 */
export async function initiateCrossBorderPayment(
  context: Context,
  caller: ConsentCaller,
  instruction: CrossBorderInstruction,
  initiation: Initiation,
): Promise<CrossBorderInitiated> {
  await requireInternationalPayments(context, caller.consent)
  if (!instruction.requiresExchange) {
    return await initiateAtBank(context, caller, instruction, initiation)
  }
  if (instruction.exchangeClosed !== undefined) {
    throw instruction.exchangeClosed
  }
  return await initiateWithExchange(context, caller, instruction, initiation)
}

async function initiateAtBank(
  context: Context,
  caller: ConsentCaller,
  instruction: CrossBorderInstruction,
  initiation: Initiation,
): Promise<CrossBorderInitiated> {
  const { bank } = initiation
  const product = requireCrossBorderPayments(context, bank)
  const { ordered, debtor, orderedAt: localNow } = instruction
  const account = await requireAccountOnConsent(context, caller, { ...debtor, currency: ordered.from.currency })
  const order = withListedDebtor(crossBorderOrderOf(instruction), account)
  const warnings = [
    ...(await balanceWarning(context, caller, { ...order, account, localNow })),
    ...instruction.warnings,
  ]
  return await submitPayment(context, caller, initiation, {
    ...{ type: 'CrossBorder', ordered, order, creditorNumber: order.creditor.account.number },
    warnings,
    initiate: (bankCaller, call) => product.initiate(bankCaller, order, call),
    toApiError: crossBorderOrderError,
  })
}

function requireCrossBorderPayments({ banks }: Context, bank: Bank): CrossBorderPaymentProduct {
  const { crossBorderPayments } = banks.connectorOf(bank)
  if (crossBorderPayments === undefined || !bank.profile.products.includes('PAYMENT_CROSS_BORDER')) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} does not support cross-border payments here`)
  }
  return crossBorderPayments
}

/**
 * Calls to the bank precede the quote, because the time of the quote belongs to the user's signature. Then the payment
 * is stored, the deal booked and the order submitted, in this order; after a crash in between, recovery abandons the
 * payment and cancels the deal.
 */
async function initiateWithExchange(
  context: Context,
  caller: ConsentCaller,
  instruction: CrossBorderInstruction,
  initiation: Initiation,
): Promise<CrossBorderInitiated> {
  const { bank } = initiation
  if (context.fx === null) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', 'Currency exchange is not available: no FX provider is configured')
  }
  const product = requireDomesticPayments(context, bank)
  const unsupportedReason = referenceCodeUnsupportedReason(bank)
  if (unsupportedReason !== undefined) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', unsupportedReason)
  }
  const { ordered, debtor, orderedAt: localNow } = instruction
  const account = await requireAccountOnConsent(context, caller, { ...debtor, currency: ordered.from.currency })
  await requireNoOpenExchange(context, caller, ordered)
  const quote = await findOrCreateQuote(context, caller, instruction)
  const order = fundingOrderOf(instruction, quote, bank, account)
  return await submitPayment(context, caller, initiation, {
    ...{ type: 'CrossBorder', ordered, order, creditorNumber: creditorAccountNumber(order.creditor.account) },
    warnings: instruction.warnings,
    initiate: (bankCaller, call) => product.initiate(bankCaller, order, call),
    toApiError: fundingOrderError,
    exchange: { quote, terms: exchangeTermsOf(quote), mapping: CROSS_BORDER },
    findWarnings: async (paymentId) => [
      ...(await duplicateExchangeWarnings(context, caller, ordered, paymentId)),
      ...(await balanceWarning(context, caller, { ...order, account, localNow })),
    ],
  })
}
