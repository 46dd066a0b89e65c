/** Declares the operations on payments: initiate, get, get the status, and list. */
import { type Static, Type } from 'typebox'
import { operation } from '../operation.ts'
import { day, text, textOrNull, uuid } from '../shapes.ts'
import { DomesticPayment } from './domestic-payment.ts'
import { orderListQuery } from './order-list-query.ts'
import { Payment, PaymentSummary } from './payment-response.ts'
import { PaymentStatus, PaymentStatusResponse } from './payment-status.ts'

/** The default and the maximum page size of the list. */
export const PAYMENTS_PER_PAGE = { default: 100, max: 500 } as const

export const PaymentWarning = Type.Object(
  {
    code: Type.Enum(
      [
        'PossibleDuplicate',
        'AccountNumberUnverified',
        'DueDateMoved',
        'ReferenceUnverified',
        'NotCarriedByBank',
        'BalanceTooLow',
        'ReportingUnverified',
      ],
      {
        description:
          'PossibleDuplicate: an order with the same endToEndId, amount and receiver came within 24 hours. ' +
          "AccountNumberUnverified: the receiver's number looks wrong, though valid ones like it exist. " +
          'DueDateMoved: the due date is not a bank day, or its cut-off has passed. ReferenceUnverified: the ' +
          'reference looks wrong, though some receivers use similar ones. NotCarriedByBank: the bank has no field ' +
          'for this, or rejects it incomplete (an address without town or country); it is not sent. BalanceTooLow: ' +
          'the available balance does not cover the payment, which is due now. ReportingUnverified: the regulatory ' +
          'reporting looks incomplete, or its code is unknown. More codes may be added.',
      },
    ),
    reason: Type.Optional(text('The reason for the warning, as text.')),
    path: Type.Optional(text('The path of the field, for example `.dueDate`.')),
    expectedExecutionDate: Type.Optional(
      day('With DueDateMoved: the day on which the bank executes the payment if it is signed now.'),
    ),
    paymentId: Type.Optional(uuid('The other payment that the warning refers to.')),
  },
  { title: 'PaymentWarning', description: 'A warning; the payment was accepted nevertheless.' },
)
export type PaymentWarning = Static<typeof PaymentWarning>

export const PaymentInitiated = Type.Object(
  {
    paymentId: uuid('Identifies the payment for approval and status.'),
    paymentStatus: PaymentStatus,
    warnings: Type.Optional(Type.Array(PaymentWarning, { description: 'Warnings to check.' })),
  },
  { title: 'PaymentInitiated', description: 'The payment as accepted by the bank.' },
)
export type PaymentInitiated = Static<typeof PaymentInitiated>

export const PaymentPage = Type.Object(
  {
    payments: Type.Array(PaymentSummary, { description: 'The payments, in an order that is stable between pages.' }),
    nextCursor: textOrNull('The cursor of the next page; null on the last one.'),
  },
  { title: 'PaymentPage', description: 'A page of payments.' },
)
export type PaymentPage = Static<typeof PaymentPage>

const params = Type.Object({ paymentId: uuid('The id of the payment.') })
const tag = 'Payments'

export const initiateDomesticPayment = operation({
  id: 'initiateDomesticPayment',
  method: 'POST',
  path: '/api/v2/payments',
  tag,
  summary: 'Initiate a domestic payment',
  description:
    "Submits the order to the debtor's bank; the status is usually Unsigned, and the user must approve it. A 503 " +
    'with a paymentId means that the outcome at the bank is unknown: do not send it again, get that payment. Needs a ' +
    'bank with the product PAYMENT_DOMESTIC.',
  admits: 'consent',
  psu: 'required',
  body: DomesticPayment,
  answer: { status: 200, schema: PaymentInitiated },
  failures: [
    'INVALID_CONSENT',
    'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
    'UNSUPPORTED_PRODUCT_BY_BANK',
    'INVALID_OCR',
    'ACCESS_DENIED',
  ],
  errorStatuses: [400, 401, 403, 404, 409, 429, 500, 503],
  validation: [
    'InvalidBBAN',
    'SenderNameTooLong',
    'RecipientNameTooLong',
    'InvalidAccountNumber',
    'InvalidAmount',
    'InvalidDueDate',
    'InvalidRemittanceInfo',
    'InvalidCharacters',
    'InvalidRequest',
  ],
  idempotent: true,
  orders: 'payment',
})

export const listPayments = operation({
  id: 'listPayments',
  method: 'GET',
  path: '/api/v2/payments',
  tag,
  summary: 'List payments',
  description:
    'Use it to find an order whose response was lost, and for a nightly synchronisation. Payments are ' +
    'sorted by creation; with `updatedSince`, by their last change. Follow `nextCursor` with the same ' +
    'filters until it is null: every payment that matches throughout is returned exactly once, one that is ' +
    'created meanwhile at most once, and with `updatedSince` one that changes meanwhile is returned again. For a ' +
    'synchronisation, set `updatedSince` to one minute before the start of the previous one, so that no change that ' +
    'was being written then is missed.',
  admits: 'partner',
  query: orderListQuery({
    orders: 'Payments',
    endToEndId: 'Payments with this endToEndId.',
    perPage: PAYMENTS_PER_PAGE,
  }),
  answer: { status: 200, schema: PaymentPage },
  errorStatuses: [400, 401, 403, 429, 500, 503],
  validation: ['InvalidRequest'],
})

export const getPayment = operation({
  id: 'getPayment',
  method: 'GET',
  path: '/api/v2/payments/{paymentId}',
  tag,
  summary: 'Get a payment',
  description: 'The payment as ordered, with the history of its statuses.',
  admits: 'partner',
  params,
  answer: { status: 200, schema: Payment },
  errorStatuses: [401, 403, 404, 429, 500, 503],
})

export const getPaymentStatus = operation({
  id: 'getPaymentStatus',
  method: 'GET',
  path: '/api/v2/payments/{paymentId}/status',
  tag,
  summary: "Get a payment's status",
  description: 'Polls the bank if the stored status is older than the bank’s poll interval.',
  admits: 'partner',
  params,
  answer: { status: 200, schema: PaymentStatusResponse },
  errorStatuses: [401, 403, 404, 429, 500, 503],
})
