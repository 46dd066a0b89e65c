/** Initiates a domestic payment: stores it, submits it to the debtor's bank and records the answer. */
import type { ExchangeTerms } from '../../contract/fx/exchange-terms.ts'
import type { PaymentInitiated, PaymentWarning } from '../../contract/payments/payment-operations.ts'
import type { Bank } from '../banks/connector/bank.ts'
import type { BankError } from '../banks/connector/bank-error.ts'
import { creditorAccountNumber } from '../banks/connector/bank-order.ts'
import type { DomesticPaymentProduct } from '../banks/connector/connector.ts'
import { requirePaymentsAllowed } from '../companies/require-company.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { requireAccountOnConsent } from '../consents/require-consent.ts'
import type { Context } from '../context.ts'
import type { Quote } from '../fx/store/quote.ts'
import { abandonExchange, bookDealForPayment } from '../orders/exchange/book-deal-for-payment.ts'
import { DOMESTIC, type ExchangeErrorMapping, quoteConflictError } from '../orders/exchange/exchange-errors.ts'
import { findQuoteOfDomesticPayment } from '../orders/exchange/find-quote-of-payment.ts'
import { withListedDebtor } from '../orders/parse/domestic-payment-parts.ts'
import { DUPLICATE } from '../orders/parse/domestic-payment-warnings.ts'
import type { DomesticInstruction } from '../orders/parse/parse-domestic-payment.ts'
import { type OrderRequest, renderPaymentStatus } from '../orders/payment.ts'
import { tryRecordOutcome } from '../orders/submit/fail-submission.ts'
import { domesticOrderError } from '../orders/submit/order-errors.ts'
import { acknowledgementOf, recordAcknowledgement } from '../orders/submit/record-acknowledgement.ts'
import { createSubmission, type Initiation, type OrderToSubmit } from '../orders/submit/submission.ts'
import { type InitiateOrder, submitRequestedOrder } from '../orders/submit/submit-order.ts'
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
  const order = withListedDebtor(instruction.order, account)
  const { ordered, warnings } = instruction
  return await submitPayment(context, caller, initiation, {
    ...{ type: 'Domestic', ordered, order, creditorNumber: creditorAccountNumber(order.creditor.account) },
    warnings,
    initiate: (bankCaller, call) => payments.initiate(bankCaller, order, call),
    toApiError: domesticOrderError,
    // The request contains the terms of its exchange, so the answer does not.
    exchange: quote && { quote, terms: {}, mapping: DOMESTIC },
  })
}

/** A valid payment, and the call that gives it to its bank. */
type PaymentToSubmit = Omit<OrderToSubmit, 'quote'> &
  OrderRequest & {
    readonly warnings: readonly PaymentWarning[]
    readonly initiate: InitiateOrder
    readonly toApiError: (error: BankError) => Error
    /** The exchange that it funds, whose terms the answer contains. */
    readonly exchange?:
      | { readonly quote: Quote; readonly terms: ExchangeTerms; readonly mapping: ExchangeErrorMapping }
      | undefined
    /**
     * Further warnings, which are found while the deal is booked; among them that of a duplicate, which has the amount and
     * the receiver of the payment, not those of the order that funds it.
     */
    readonly findWarnings?: (paymentId: string) => Promise<readonly PaymentWarning[]>
  }

/** Stores a payment, books the deal of its exchange, submits it once and records the bank's acknowledgement, in this order. */
export async function submitPayment(
  context: Context,
  caller: ConsentCaller,
  initiation: Initiation,
  { warnings, initiate, toApiError, exchange, findWarnings, ...payment }: PaymentToSubmit,
): Promise<PaymentInitiated & ExchangeTerms> {
  const request = { ...payment, quote: exchange?.quote }
  const stored = await createSubmission(context, caller, request, initiation).catch((error: unknown) => {
    throw exchange === undefined ? error : quoteConflictError(error, exchange.mapping)
  })
  const { submission, duplicateOf } = stored
  const { bank, idempotent } = initiation
  const [found, booked] = await Promise.allSettled([
    findWarnings?.(submission.paymentId),
    exchange && bookDealForPayment(context, submission, exchange.quote, exchange.mapping),
  ])
  if (booked.status === 'rejected') {
    throw booked.reason
  }
  if (found.status === 'rejected') {
    // Its deal is booked by now, and no order will fund it.
    await tryRecordOutcome(context, submission, () => abandonExchange(context, submission, found.reason))
    throw found.reason
  }
  const inTime = { ...submission, ...booked.value }
  const acknowledged = await submitRequestedOrder(context, caller, inTime, {
    ...{ bank, initiate, toApiError },
    ...(exchange && { onRejected: (error) => abandonExchange(context, submission, error) }),
  })
  const acknowledgement = acknowledgementOf(context, submission, bank, acknowledged)
  const duplicates =
    duplicateOf === null || findWarnings !== undefined ? [] : [{ ...DUPLICATE, paymentId: duplicateOf }]
  const all = [...duplicates, ...warnings, ...(found.value ?? [])]
  const answer = {
    paymentId: submission.paymentId,
    paymentStatus: renderPaymentStatus(acknowledgement),
    ...exchange?.terms,
    ...(all.length === 0 ? {} : { warnings: all }),
  }
  await recordAcknowledgement(context, submission, acknowledgement, { idempotent, answer })
  return answer
}

/** Returns the bank's domestic payments. Throws `UNSUPPORTED_PRODUCT_BY_BANK`. */
export function requireDomesticPayments({ banks }: Context, bank: Bank): DomesticPaymentProduct {
  const { domesticPayments } = banks.connectorOf(bank)
  if (domesticPayments === undefined || !bank.profile.products.includes('PAYMENT_DOMESTIC')) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} does not support domestic payments here`)
  }
  return domesticPayments
}
