/** Declares the operation that initiates a cross-border payment, with or without exchange. */
import { type Static, Type } from 'typebox'
import { codedBody } from '../errors/coded-errors.ts'
import { exchangeTerms } from '../fx/exchange-terms.ts'
import { operation } from '../operation.ts'
import { PaymentStatus, uuid } from '../shapes.ts'
import { CrossBorderPayment } from './cross-border-payment.ts'
import { PaymentWarning } from './payment-operations.ts'

export const CrossBorderInitiated = Type.Object(
  {
    paymentId: uuid('Identifies the payment for approval and status.'),
    paymentStatus: PaymentStatus,
    ...exchangeTerms,
    warnings: Type.Optional(Type.Array(PaymentWarning, { description: 'What the partner should look at.' })),
  },
  {
    title: 'CrossBorderInitiated',
    description: 'The payment as the bank took it; with exchange, what it costs and until when it must be signed.',
  },
)
export type CrossBorderInitiated = Static<typeof CrossBorderInitiated>

export const initiateCrossBorderPayment = operation({
  id: 'initiateCrossBorderPayment',
  method: 'POST',
  path: '/api/v2/payments/cross-border',
  server: 'base',
  tag: 'Payments',
  summary: 'Initiate a cross-border payment',
  description:
    'Takes every payment that involves an account in another currency than its country’s, or another country. In the ' +
    'currency of the paying account the bank carries it out as a cross-border payment, which needs the product ' +
    'PAYMENT_CROSS_BORDER. In another currency money is exchanged: a quote is booked, and what the user signs, before ' +
    '`quoteExpiryTime`, is a domestic payment of `costAmount` to the intermediary account; unsigned by then it is ' +
    'cancelled. A 503 with a paymentId says that the bank was asked and its answer is not known: do not order again, ' +
    'read that payment.',
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
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
  refusalBodies: { 403: codedBody.COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS },
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
  sandboxOnly: false,
})
