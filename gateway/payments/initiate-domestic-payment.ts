/** Initiates a domestic payment: stores it, submits it to the debtor's bank and records the answer. */
import type { PaymentInitiated } from '../../contract/payments/payment-operations.ts'
import { requireAccountOnConsent } from '../accounts/require-consent-account.ts'
import type { Bank } from '../banks/connector/bank.ts'
import { creditorAccountNumber } from '../banks/connector/bank-order.ts'
import type { DomesticPaymentProduct } from '../banks/connector/connector.ts'
import { requirePaymentsAllowed } from '../companies/require-company.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { abandonExchange, bookDealForPayment } from '../orders/exchange/book-deal-for-payment.ts'
import { DOMESTIC, quoteConflictError } from '../orders/exchange/exchange-errors.ts'
import { findQuoteOfDomesticPayment } from '../orders/exchange/find-quote-of-payment.ts'
import { withDebtorIban } from '../orders/parse/domestic-payment-parts.ts'
import type { DomesticInstruction } from '../orders/parse/parse-domestic-payment.ts'
import { domesticOrderError } from '../orders/submit/order-errors.ts'
import { paymentInitiated, recordAcknowledgement } from '../orders/submit/record-acknowledgement.ts'
import { createSubmission, type Initiation } from '../orders/submit/submission.ts'
import { submitRequestedOrder } from '../orders/submit/submit-order.ts'
import { apiError } from '../platform/http/errors/api-error.ts'

/**
 * Submits the order once, after the submission is stored and without holding a database connection. Throws 503 with the
 * payment's id when the outcome at the bank is unknown.
 */
export async function initiateDomesticPayment(
  context: Context,
  caller: ConsentCaller,
  instruction: DomesticInstruction,
  initiation: Initiation,
): Promise<PaymentInitiated> {
  const payments = requireDomesticPayments(context, initiation.bank)
  const requirements = [
    requirePaymentsAllowed(context, caller.consent),
    requireAccountOnConsent(context, caller, instruction.order.debtor),
  ] as const
  // Checked concurrently; of two errors the first in the list is thrown, whichever came first.
  await Promise.allSettled(requirements)
  const [, account] = await Promise.all(requirements)
  const quote = await findQuoteOfDomesticPayment(context, caller, instruction.order)
  const { ordered, warnings } = instruction
  const order = withDebtorIban(instruction.order, account.iban)
  const creditorNumber = creditorAccountNumber(order.creditor.account)
  // The request contains the terms of its exchange, so the answer does not.
  const exchange = quote && { quoteId: quote.id, deadlineAt: quote.expiresAt, terms: {} }
  const request = { type: 'Domestic', ordered, order, creditorNumber, warnings, ...(exchange && { exchange }) } as const
  const submission = await createSubmission(context, caller, request, initiation).catch((error: unknown) => {
    throw quoteConflictError(error, DOMESTIC)
  })
  await (quote && bookDealForPayment(context, submission, quote, DOMESTIC))
  const { bank } = initiation
  const acknowledged = await submitRequestedOrder(context, caller, submission, {
    bank,
    initiate: (bankCaller, call) => payments.initiate(bankCaller, order, call),
    toApiError: domesticOrderError,
    ...(quote && { onRejected: (error) => abandonExchange(context, submission, error) }),
  })
  return await recordAcknowledgement(context, submission, acknowledged, {
    ...initiation,
    answerOf: (status) => paymentInitiated(submission, status),
  })
}

/** Returns the bank's domestic payments. Throws `UNSUPPORTED_PRODUCT_BY_BANK`. */
export function requireDomesticPayments({ banks }: Context, bank: Bank): DomesticPaymentProduct {
  const { domesticPayments } = banks.connectorOf(bank)
  if (domesticPayments === undefined || !bank.profile.products.includes('PAYMENT_DOMESTIC')) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} does not support domestic payments here`)
  }
  return domesticPayments
}
