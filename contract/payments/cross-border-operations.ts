/** Declares the operation that initiates a cross-border payment, with or without exchange. */
import { type Static, Type } from 'typebox'
import { codedErrorBody } from '../errors/error-bodies.ts'
import { exchangeTerms } from '../fx/exchange-terms.ts'
import { operation } from '../operation.ts'
import { uuid } from '../shapes.ts'
import { CrossBorderPayment } from './cross-border-payment.ts'
import { PaymentWarning } from './payment-operations.ts'
import { PaymentStatus } from './payment-status.ts'

export const CrossBorderInitiated = Type.Object(
  {
    paymentId: uuid('Identifies the payment for approval and status.'),
    paymentStatus: PaymentStatus,
    ...exchangeTerms,
    warnings: Type.Optional(Type.Array(PaymentWarning, { description: 'Warnings to check.' })),
  },
  {
    title: 'CrossBorderInitiated',
    description: 'The payment as accepted by the bank; with exchange, its cost and the deadline for signing.',
  },
)
export type CrossBorderInitiated = Static<typeof CrossBorderInitiated>

export const initiateCrossBorderPayment = operation({
  id: 'initiateCrossBorderPayment',
  method: 'POST',
  path: '/api/v2/payments/cross-border',
  tag: 'Payments',
  summary: 'Initiate a cross-border payment',
  description:
    'For payments to another country, or from or to an account in a foreign currency. In the currency of the debtor ' +
    'account the bank executes it as a cross-border payment, which needs the product PAYMENT_CROSS_BORDER. In ' +
    'another currency the amount is exchanged: a quote is booked, and the user signs, before `quoteExpiryTime`, a ' +
    'domestic payment of `costAmount` to the intermediary account; unsigned by then it is cancelled. A 503 with a ' +
    'paymentId means that the outcome at the bank is unknown: do not send it again, get that payment.',
  admits: 'consent',
  psu: 'required',
  body: CrossBorderPayment,
  answer: { status: 200, schema: CrossBorderInitiated },
  failures: [
    'MAX_AMOUNT_EXCEEDED',
    'SERVICE_CLOSED',
    'UNSUPPORTED_DUE_DATE',
    'INVALID_CONSENT',
    'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
    'UNSUPPORTED_PRODUCT_BY_BANK',
    'ACCESS_DENIED',
  ],
  errorStatuses: [400, 401, 403, 404, 409, 429, 500, 503],
  errorBodies: { 403: codedErrorBody.COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS },
  validation: [
    'InvalidRequest',
    'InvalidCreationTime',
    'InvalidDueDate',
    'IbanBicMismatch',
    'InvalidIbanFormat',
    'InvalidFromAccount',
    'InvalidBbanOrIban',
    'InvalidForwardAmount',
    'InvalidForwardCurrency',
    'InvalidQuoteCurrencyScale',
    'InvalidForwardExchangeServiceTime',
    'InvalidJsonRequest',
    'InvalidBeneficiaryCountry',
    'InvalidBIC',
    'InvalidToAddress',
  ],
  idempotent: true,
  orders: 'payment',
})
