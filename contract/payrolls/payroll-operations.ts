/** Declares the operations on payrolls: order one, or several in bulk, get the status of one, and list. */
import { type Static, Type } from 'typebox'
import { operation } from '../operation.ts'
import { orderListQuery } from '../payments/order-list-query.ts'
import { uuid } from '../shapes.ts'
import { PayrollBulkRequest, PayrollRequest } from './payroll-request.ts'
import { PayrollBulkInitiated, PayrollInitiated, PayrollPage, PayrollStatus } from './payroll-response.ts'

/** The default and the maximum page size of the list. */
export const PAYROLLS_PER_PAGE = { default: 100, max: 500 } as const

const tag = 'Payrolls'
const path = '/api/v2/payroll'

/** 1 000 bytes for each of 10 000 transactions, three times what one needs. */
const BODY_BYTES_MAX = 10 * 1024 * 1024

/** The errors of both order operations. */
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
  errorStatuses: [400, 401, 403, 404, 409, 429, 500, 503],
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

/** Describes the list of validation errors. */
const validationErrorsNote =
  'The first 1 000 errors are listed; if there are more, a last one with the path `.` and the code ' +
  'InvalidRequest gives their number. No reason repeats a value of a transaction. '

export const initiatePayroll = operation({
  ...ordering,
  id: 'initiatePayroll',
  method: 'POST',
  path,
  tag,
  summary: 'Order a payroll',
  description:
    "Submits the transactions to the debtor's bank; the user must approve them. They are one order if the bank " +
    'accepts payrolls, and otherwise single orders after the response. A 503 with a payrollId means that the ' +
    'outcome at the bank is unknown: do not send it again, get that payroll. ' +
    validationErrorsNote +
    'Bodies may have 10 MB. Needs a bank with the product PAYROLL, and credentials that may order payrolls (403).',
  admits: 'consent',
  psu: 'required',
  body: PayrollRequest,
  answer: { status: 200, schema: PayrollInitiated },
  idempotent: true,
  orders: 'payroll',
})

export const initiatePayrollBulk = operation({
  ...ordering,
  id: 'initiatePayrollBulk',
  method: 'POST',
  path: `${path}/bulk`,
  tag,
  summary: 'Order several payrolls at once',
  description:
    'Orders every payroll and starts one approval of all of them: send the user to `sca.redirect.url`. ' +
    validationErrorsNote +
    'Needs a bank with the product PAYROLL_BULK and an agreement with us; without one it is as at a bank without the ' +
    'product.',
  admits: 'consent',
  psu: 'required',
  body: PayrollBulkRequest,
  answer: { status: 200, schema: PayrollBulkInitiated },
  idempotent: true,
  orders: 'payrolls',
})

export const getPayrollStatus = operation({
  id: 'getPayrollStatus',
  method: 'GET',
  path: `${path}/{payrollId}/status`,
  tag,
  summary: "Get a payroll's status",
  description:
    'Returns the status of each transaction; polls the bank if the stored status is older than its poll ' +
    'interval. If the consent of the payroll is no longer valid, it returns 400 `INVALID_CONSENT`.',
  admits: 'partner',
  permission: 'payroll',
  params: Type.Object({ payrollId: uuid('The id of the payroll.') }),
  answer: { status: 200, schema: PayrollStatus },
  failures: ['INVALID_CONSENT', 'AUTHENTICATION_TEMPORARY_UNAVAILABLE', 'UNSUPPORTED_PRODUCT_BY_BANK'],
  errorStatuses: [400, 401, 403, 404, 429, 500, 503],
})

const PayrollQuery = orderListQuery({
  orders: 'Payrolls',
  endToEndId: 'Payrolls with a transaction of this endToEndId.',
  perPage: PAYROLLS_PER_PAGE,
})
export type PayrollQuery = Static<typeof PayrollQuery>

export const listPayrolls = operation({
  id: 'listPayrolls',
  method: 'GET',
  path,
  tag,
  summary: 'List payrolls',
  description:
    'Use it to find an order whose response was lost, and for a nightly synchronisation, like the list of ' +
    'payments. `status` filters by the status of the payroll.',
  admits: 'partner',
  permission: 'payroll',
  query: PayrollQuery,
  answer: { status: 200, schema: PayrollPage },
  errorStatuses: [400, 401, 403, 429, 500, 503],
  validation: ['InvalidRequest'],
})
