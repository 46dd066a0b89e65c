/** Lists for each operation of the API and each of its error codes how to get the code in the sandbox. */

/** What provokes an error. */
export type Trigger =
  /** The amount of the order, or of a salary of the payroll. */
  | { readonly by: 'amount'; readonly amount: number }
  /** The caller's consent, which its user has revoked at the bank. */
  | { readonly by: 'revoked-consent' }
  /** A consent of the caller at another bank. */
  | { readonly by: 'consent-at-another-bank' }
  /** An account id that is not on the consent. */
  | { readonly by: 'unknown-account' }
  /** The bank's next response to an operation of XS2A. */
  | { readonly by: 'fault'; readonly operation: string; readonly status: number; readonly code: string }
  /** A field of an otherwise valid payment in euros to Germany. */
  | { readonly by: 'field'; readonly path: string; readonly value: string }
  /** A body that is not JSON. */
  | { readonly by: 'broken-json' }
  /** The bought amount of a payment with exchange that is due on the next bank day. */
  | { readonly by: 'exchange-ahead'; readonly amount: string; readonly currency: 'USD' | 'INR' }
  /** The time of a bank day, in UTC, at which a payment with exchange is ordered, and when it is due. */
  | { readonly by: 'hour-of-exchange'; readonly time: string; readonly due: 'today' | 'on the next bank day' }
  /** A payment with exchange, ordered on a Saturday. */
  | { readonly by: 'saturday-of-exchange' }
  | { readonly by: 'cancelled-subscription' }
  /** The demo company, which exists. */
  | { readonly by: 'existing-company' }
  /** A company that was onboarded, which pays within its country only. */
  | { readonly by: 'onboarded-company'; readonly organizationNumber: string; readonly userId: string }

/** An operation of the API by its id, a code, the status of the response, and its trigger. */
export type ErrorTrigger = {
  readonly operation: string
  readonly status: 400 | 403 | 409 | 422
  readonly code: string
  readonly trigger: Trigger
}

type TriggeredCode = readonly [status: ErrorTrigger['status'], code: string, trigger: Trigger]

const REVOKED: TriggeredCode = [400, 'INVALID_CONSENT', { by: 'revoked-consent' }]
const ORDER_CODES: readonly TriggeredCode[] = [
  REVOKED,
  [400, 'AUTHENTICATION_TEMPORARY_UNAVAILABLE', amount(7745)],
  [400, 'UNSUPPORTED_PRODUCT_BY_BANK', amount(7743)],
  [400, 'ACCESS_DENIED', amount(7740)],
]
const DOMESTIC_CODES: readonly TriggeredCode[] = [
  ...ORDER_CODES,
  [400, 'INVALID_OCR', amount(7739)],
  [422, 'InvalidBBAN', amount(7731)],
  [422, 'InvalidAccountNumber', amount(7732)],
  [422, 'RecipientNameTooLong', amount(7733)],
  [422, 'InvalidCharacters', amount(7734)],
  [422, 'InvalidAmount', amount(7735)],
  [422, 'InvalidRemittanceInfo', amount(7736)],
  [422, 'InvalidDueDate', amount(7737)],
  [422, 'InvalidRequest', amount(7738)],
  [422, 'SenderNameTooLong', amount(7746)],
]
const APPROVAL_CODES: readonly TriggeredCode[] = [
  REVOKED,
  [400, 'AUTHENTICATION_TEMPORARY_UNAVAILABLE', amount(7754)],
  [400, 'UNSUPPORTED_PRODUCT_BY_BANK', amount(7758)],
  [400, 'ACCESS_DENIED', amount(7759)],
]
const CANCELLATION_CODES: readonly TriggeredCode[] = [
  REVOKED,
  [400, 'AUTHENTICATION_TEMPORARY_UNAVAILABLE', amount(7761)],
  [400, 'UNSUPPORTED_PRODUCT_BY_BANK', amount(7762)],
  [400, 'ACCESS_DENIED', amount(7763)],
]
const READ_CODES: readonly TriggeredCode[] = [REVOKED, [400, 'ACCESS_DENIED', { by: 'consent-at-another-bank' }]]
const EXISTING: readonly TriggeredCode[] = [[409, 'COMPANY_ALREADY_EXISTS', { by: 'existing-company' }]]

const codesByOperation: Readonly<Record<string, readonly TriggeredCode[]>> = {
  initiateDomesticPayment: DOMESTIC_CODES,
  initiateCrossBorderPayment: [
    ...ORDER_CODES,
    [400, 'UNSUPPORTED_DUE_DATE', amount(7737)],
    [400, 'MAX_AMOUNT_EXCEEDED', { by: 'exchange-ahead', amount: '2000000.00', currency: 'USD' }],
    [422, 'InvalidForwardAmount', { by: 'exchange-ahead', amount: '9000000.00', currency: 'USD' }],
    [422, 'InvalidForwardCurrency', { by: 'exchange-ahead', amount: '1000.00', currency: 'INR' }],
    [422, 'InvalidCreationTime', { by: 'saturday-of-exchange' }],
    [400, 'SERVICE_CLOSED', { by: 'hour-of-exchange', time: '03:00', due: 'today' }],
    [422, 'InvalidForwardExchangeServiceTime', { by: 'hour-of-exchange', time: '03:00', due: 'on the next bank day' }],
    [
      403,
      'COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS',
      { by: 'onboarded-company', organizationNumber: '987654406', userId: '14857110548' },
    ],
    [422, 'InvalidFromAccount', amount(7731)],
    [422, 'InvalidBbanOrIban', amount(7732)],
    [422, 'InvalidRequest', amount(7738)],
    [422, 'InvalidJsonRequest', { by: 'broken-json' }],
    [422, 'IbanBicMismatch', { by: 'field', path: '.to.account.bic', value: 'BNPAFRPP' }],
    [422, 'InvalidBIC', { by: 'field', path: '.to.account.bic', value: 'COBAXXFF' }],
    [422, 'InvalidIbanFormat', { by: 'field', path: '.to.account.iban', value: 'DE88370400440532013000' }],
    [422, 'InvalidBeneficiaryCountry', { by: 'field', path: '.to.contactInformation.address.country', value: 'IR' }],
    [422, 'InvalidToAddress', { by: 'field', path: '.to.contactInformation.address.postCode', value: 'EC1A 1BB' }],
    [422, 'InvalidQuoteCurrencyScale', { by: 'field', path: '.amount.amount', value: '10.001' }],
    [422, 'InvalidDueDate', { by: 'field', path: '.dueDate', value: '2020-01-02' }],
  ],
  approvePayments: APPROVAL_CODES,
  getPaymentApproval: READ_CODES,
  cancelPayment: CANCELLATION_CODES,
  initiatePayroll: DOMESTIC_CODES,
  initiatePayrollBulk: DOMESTIC_CODES,
  getPayrollStatus: [REVOKED],
  approvePayrolls: APPROVAL_CODES,
  cancelPayroll: CANCELLATION_CODES,
  listExtendedAccountEntries: [
    REVOKED,
    [400, 'INVALID_ACCOUNT', { by: 'unknown-account' }],
    [400, 'ACCESS_DENIED', { by: 'fault', operation: 'getTransactions', status: 403, code: 'SERVICE_BLOCKED' }],
    [403, 'INACTIVE_SUBSCRIPTION', { by: 'cancelled-subscription' }],
  ],
  startOnboarding: EXISTING,
  registerCompany: EXISTING,
}

/** One row per operation and code. */
export const errorTriggers: readonly ErrorTrigger[] = Object.entries(codesByOperation).flatMap(([operation, codes]) =>
  codes.map(([status, code, trigger]) => ({ operation, status, code, trigger })),
)

/** Why codes that the API documents have no trigger. */
export const codesWithoutTrigger: readonly {
  readonly operations: readonly string[]
  readonly codes: readonly string[]
  readonly reason: string
}[] = [
  {
    operations: ['getPaymentApproval', 'getPayrollStatus'],
    codes: ['AUTHENTICATION_TEMPORARY_UNAVAILABLE', 'UNSUPPORTED_PRODUCT_BY_BANK'],
    reason:
      'The API documents them, and Havn never returns them: whatever the bank answers to a poll, the response has the ' +
      'last known status.',
  },
]

function amount(selected: number): Trigger {
  return { by: 'amount', amount: selected }
}
