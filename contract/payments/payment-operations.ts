/** Declares the operations on payments: initiate, read one, its status, and list. */
import { type Static, Type } from 'typebox'
import { operation } from '../operation.ts'
import { day, PaymentStatus, PaymentStatusRead, text, uuid } from '../shapes.ts'
import { DomesticPayment } from './domestic-payment.ts'
import { orderListQuery } from './order-list-query.ts'
import { Payment, PaymentListed } from './payment-response.ts'

/** How many payments a page of the list holds unless asked otherwise, and at most. */
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
          "AccountNumberUnverified: the receiver's number looks wrong, though genuine ones like it exist. " +
          'DueDateMoved: the due date is no bank day, or its cut-off has passed. ' +
          'ReferenceUnverified: the reference looks wrong, though some receivers use ones like it. ' +
          'NotCarriedByBank: the bank has no place for this part, and is not told it. ' +
          'BalanceTooLow: what is available on the account does not cover the payment, which is due now. ' +
          'ReportingUnverified: what the authorities are told looks incomplete, or the code is none that is known here. ' +
          'More may come.',
      },
    ),
    reason: Type.Optional(text('What the warning is about, for people.')),
    path: Type.Optional(text('Where in the order it is, for example `.dueDate`.')),
    expectedExecutionDate: Type.Optional(
      day('With DueDateMoved: on which day the bank carries the payment out, were it signed now.'),
    ),
    paymentId: Type.Optional(uuid('The other payment that the warning is about.')),
  },
  { title: 'PaymentWarning', description: 'Something to look at; the payment was accepted all the same.' },
)
export type PaymentWarning = Static<typeof PaymentWarning>

export const PaymentInitiated = Type.Object(
  {
    paymentId: uuid('Identifies the payment for approval and status.'),
    paymentStatus: PaymentStatus,
    warnings: Type.Optional(Type.Array(PaymentWarning, { description: 'What the partner should look at.' })),
  },
  { title: 'PaymentInitiated', description: 'The payment as the bank took it.' },
)
export type PaymentInitiated = Static<typeof PaymentInitiated>

export const PaymentPage = Type.Object(
  {
    payments: Type.Array(PaymentListed, { description: 'The payments, in an order that stays from page to page.' }),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: 'What to send as cursor for the next page; null on the last one.',
    }),
  },
  { title: 'PaymentPage', description: 'A page of payments.' },
)
export type PaymentPage = Static<typeof PaymentPage>

const params = Type.Object({ paymentId: uuid('The id that the initiation answered.') })
const tag = 'Payments'

export const initiateDomesticPayment = operation({
  id: 'initiateDomesticPayment',
  method: 'POST',
  path: '/api/v2/payments',
  server: 'base',
  tag,
  summary: 'Initiate a domestic payment',
  description:
    "Hands the order to the debtor's bank; it usually answers Unsigned, and the user must approve it. A 503 with a " +
    'paymentId says that the bank was asked and its answer is not known: do not order again, read that payment. ' +
    'Needs a bank with the product PAYMENT_DOMESTIC.',
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
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
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
  sandboxOnly: false,
})

export const listPayments = operation({
  id: 'listPayments',
  method: 'GET',
  path: '/api/v2/payments',
  server: 'base',
  tag,
  summary: 'List payments',
  description:
    'Answers whether an order went through whose answer was lost, and serves the nightly synchronisation. Payments come ' +
    'in the order in which they were made; with `updatedSince`, in the order of their last change. Follow `nextCursor` ' +
    'with the same filters until it is null: every payment that fits them all the while comes exactly once, one that is ' +
    'made meanwhile once at most, and with `updatedSince` one that changes meanwhile comes again as it is then. A ' +
    'synchronisation asks for what changed since a minute before the last one began, so that it misses nothing that ' +
    'was being written just then.',
  admits: 'partner',
  psu: 'none',
  query: orderListQuery({
    orders: 'Payments',
    endToEndId: 'Payments with this endToEndId.',
    perPage: PAYMENTS_PER_PAGE,
  }),
  answer: { status: 200, schema: PaymentPage },
  failures: [],
  refusals: [400, 401, 403, 429, 500, 503],
  validation: ['InvalidRequest'],
  idempotent: false,
  sandboxOnly: false,
})

export const getPayment = operation({
  id: 'getPayment',
  method: 'GET',
  path: '/api/v2/payments/{paymentId}',
  server: 'base',
  tag,
  summary: 'Read a payment',
  admits: 'partner',
  psu: 'none',
  params,
  answer: { status: 200, schema: Payment },
  failures: [],
  refusals: [401, 403, 404, 429, 500, 503],
  validation: [],
  idempotent: false,
  sandboxOnly: false,
})

export const getPaymentStatus = operation({
  id: 'getPaymentStatus',
  method: 'GET',
  path: '/api/v2/payments/{paymentId}/status',
  server: 'base',
  tag,
  summary: "Read a payment's status",
  description: 'Asks the bank when what is known is older than its poll interval.',
  admits: 'partner',
  psu: 'none',
  params,
  answer: { status: 200, schema: PaymentStatusRead },
  failures: [],
  refusals: [401, 403, 404, 429, 500, 503],
  validation: [],
  idempotent: false,
  sandboxOnly: false,
})
