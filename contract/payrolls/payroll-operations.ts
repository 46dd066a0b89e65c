/** Declares the operations on payrolls: order one, or several in bulk, read what became of one, and list. */
import { type Static, Type } from 'typebox'
import { operation } from '../operation.ts'
import { orderListQuery } from '../payments/order-list-query.ts'
import { uuid } from '../shapes.ts'
import { PayrollAsked, PayrollBulkAsked } from './payroll-request.ts'
import { PayrollBulkInitiated, PayrollInitiated, PayrollPage, PayrollStatus } from './payroll-response.ts'

/** How many payrolls a page of the list holds unless asked otherwise, and at most. */
export const PAYROLLS_PER_PAGE = { default: 100, max: 500 } as const

const tag = 'Payrolls'
const path = '/api/v2/payroll'

/** A thousand bytes for each of ten thousand payouts, which take a third of that. */
const BODY_BYTES_MAX = 10 * 1024 * 1024

/** What both ways of ordering refuse and find wrong. */
const ordering = {
  permission: 'payroll',
  bodyBytesMax: BODY_BYTES_MAX,
  failures: [
    'INVALID_CONSENT',
    'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
    'UNSUPPORTED_PRODUCT_BY_BANK',
    'INVALID_OCR',
    'ACCESS_DENIED',
  ],
  refusals: [400, 401, 403, 404, 409, 429, 500, 503],
  validation: [
    'InvalidDueDate',
    'InvalidAmount',
    'InvalidBBAN',
    'InvalidRequest',
    'InvalidCharacters',
    'SenderNameTooLong',
    'RecipientNameTooLong',
    'InvalidAccountNumber',
    'InvalidRemittanceInfo',
  ],
} as const

/** What a partner should know of the list of problems. */
const problemsTold =
  'The first 1 000 problems are listed; where there are more, a last one with the path `.` and the code InvalidRequest ' +
  'says how many there are. No reason repeats a value of a payout. '

export const initiatePayroll = operation({
  ...ordering,
  id: 'initiatePayroll',
  method: 'POST',
  path,
  server: 'base',
  tag,
  summary: 'Order a payroll',
  description:
    "Hands the payouts to the debtor's bank, and the user must approve them: as one order where the bank takes one, and " +
    'otherwise one by one after the answer, which the approval waits for. A 503 with a payrollId says that the bank was ' +
    'asked and its answer is not known: do not order again, read that payroll. ' +
    problemsTold +
    'Bodies may have 10 MB. Needs a bank with the product PAYROLL, and credentials that may order payrolls (403).',
  admits: 'consent',
  psu: 'required',
  body: PayrollAsked,
  answer: { status: 200, schema: PayrollInitiated },
  idempotent: true,
  sandboxOnly: false,
})

export const initiatePayrollBulk = operation({
  ...ordering,
  id: 'initiatePayrollBulk',
  method: 'POST',
  path: `${path}/bulk`,
  server: 'base',
  tag,
  summary: 'Order several payrolls at once',
  description:
    'Orders every payroll and starts one approval over all of them: send the user to `sca.redirect.url`. ' +
    problemsTold +
    'Needs a bank with the product PAYROLL_BULK and an agreement with us; without one it is as at a bank without the ' +
    'product.',
  admits: 'consent',
  psu: 'required',
  body: PayrollBulkAsked,
  answer: { status: 200, schema: PayrollBulkInitiated },
  idempotent: true,
  sandboxOnly: false,
})

export const readPayrollStatus = operation({
  id: 'readPayrollStatus',
  method: 'GET',
  path: `${path}/{payrollId}/status`,
  server: 'base',
  tag,
  summary: "Read a payroll's status",
  description:
    'Tells what became of each payout, and asks the bank when what is known is older than its poll interval. Once the ' +
    'consent of the payroll is not in force any more, it is 400 `INVALID_CONSENT`.',
  admits: 'partner',
  permission: 'payroll',
  psu: 'none',
  params: Type.Object({ payrollId: uuid('The id that the order answered.') }),
  answer: { status: 200, schema: PayrollStatus },
  failures: ['INVALID_CONSENT', 'AUTHENTICATION_TEMPORARY_UNAVAILABLE', 'UNSUPPORTED_PRODUCT_BY_BANK'],
  refusals: [400, 401, 403, 404, 429, 500, 503],
  validation: [],
  idempotent: false,
  sandboxOnly: false,
})

const PayrollQuery = orderListQuery({
  orders: 'Payrolls',
  endToEndId: 'Payrolls with a payout of this endToEndId.',
  perPage: PAYROLLS_PER_PAGE,
})
export type PayrollQuery = Static<typeof PayrollQuery>

export const listPayrolls = operation({
  id: 'listPayrolls',
  method: 'GET',
  path,
  server: 'base',
  tag,
  summary: 'List payrolls',
  description:
    'Answers whether an order went through whose answer was lost, and serves the nightly synchronisation, as the list of ' +
    'payments does. `status` asks for that of the whole.',
  admits: 'partner',
  permission: 'payroll',
  psu: 'none',
  query: PayrollQuery,
  answer: { status: 200, schema: PayrollPage },
  failures: [],
  refusals: [400, 401, 403, 429, 500, 503],
  validation: ['InvalidRequest'],
  idempotent: false,
  sandboxOnly: false,
})
