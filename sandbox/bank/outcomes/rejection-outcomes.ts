/** Scripted outcomes of orders that the bank rejects, one per reason. */
import type { Outcome, ScriptedRejection } from './scripted-outcome.ts'

type RejectedOrder = Pick<Outcome, 'amount' | 'name' | 'tells'> & {
  readonly rejection: ScriptedRejection
  readonly seen: { readonly status: 400 | 422; readonly code: string; readonly path?: string }
}

const rejectedOrders: readonly RejectedOrder[] = [
  {
    amount: 7731,
    name: 'Invalid debtor account',
    tells: 'The bank rejects the debtor account.',
    rejection: { status: 400, code: 'FORMAT_ERROR', path: 'debtorAccount', text: 'This is not an account number' },
    seen: { status: 422, code: 'InvalidBBAN', path: '.from.account.bban' },
  },
  {
    amount: 7732,
    name: 'Invalid creditor account',
    tells: 'The bank rejects the creditor account.',
    rejection: { status: 400, code: 'FORMAT_ERROR', path: 'creditorAccount', text: 'This is not an account number' },
    seen: { status: 422, code: 'InvalidAccountNumber', path: '.to.account.bban' },
  },
  {
    amount: 7733,
    name: 'Creditor name too long',
    tells: 'The bank accepts shorter names only.',
    rejection: { status: 400, code: 'FORMAT_ERROR', path: 'creditorName', text: 'The name is longer than 2 letters' },
    seen: { status: 422, code: 'RecipientNameTooLong', path: '.to.contactInformation.name' },
  },
  {
    amount: 7734,
    name: 'Unsupported characters in the creditor name',
    tells: 'The bank does not support a character of the name.',
    rejection: { status: 400, code: 'FORMAT_ERROR', path: 'creditorName', text: 'The name holds an unknown character' },
    seen: { status: 422, code: 'InvalidCharacters', path: '.to.contactInformation.name' },
  },
  {
    amount: 7735,
    name: 'Amount not accepted',
    tells: 'The bank does not accept this amount.',
    rejection: { status: 400, code: 'FORMAT_ERROR', path: 'instructedAmount', text: 'The amount is above your limit' },
    seen: { status: 422, code: 'InvalidAmount', path: '.amount.amount' },
  },
  {
    amount: 7736,
    name: 'Message not accepted',
    tells: 'The bank rejects the remittance information.',
    rejection: {
      status: 400,
      code: 'FORMAT_ERROR',
      path: 'remittanceInformationUnstructured',
      text: 'The receiver takes no messages',
    },
    seen: { status: 422, code: 'InvalidRemittanceInfo', path: '.remittanceInformation' },
  },
  {
    amount: 7737,
    name: 'Due date not accepted',
    tells: 'The bank does not execute payments on that day.',
    rejection: {
      status: 400,
      code: 'EXECUTION_DATE_INVALID',
      path: 'requestedExecutionDate',
      text: 'Payments are not executed on this day',
    },
    seen: { status: 422, code: 'InvalidDueDate', path: '.dueDate' },
  },
  {
    amount: 7738,
    name: 'Unspecified error',
    tells: 'The bank rejects the order without naming a field.',
    rejection: { status: 400, code: 'FORMAT_ERROR', text: 'The order is not accepted' },
    seen: { status: 422, code: 'InvalidRequest' },
  },
  {
    amount: 7739,
    name: 'Missing reference',
    tells: 'The creditor requires a KID, OCR or other reference, and it is missing or invalid.',
    rejection: {
      status: 401,
      code: 'KID_MISSING',
      path: 'remittanceInformationStructuredArray',
      text: 'The receiver takes payments with a reference only',
    },
    seen: { status: 400, code: 'INVALID_OCR' },
  },
  {
    amount: 7740,
    name: 'No right to pay',
    tells: 'The user may read the account and has no right to pay from it.',
    rejection: { status: 403, code: 'SERVICE_BLOCKED', path: 'debtorAccount', text: 'The user may not pay from here' },
    seen: { status: 400, code: 'ACCESS_DENIED' },
  },
  {
    amount: 7741,
    name: 'Unknown debtor account',
    tells: 'The account is not one of the user’s at this bank.',
    rejection: { status: 403, code: 'RESOURCE_UNKNOWN', path: 'debtorAccount', text: 'The user has no such account' },
    seen: { status: 400, code: 'ACCESS_DENIED' },
  },
  {
    amount: 7742,
    name: 'Consent not accepted',
    tells: 'The bank reports the consent as invalid, for this order only.',
    rejection: { status: 401, code: 'CONSENT_INVALID', text: 'The consent is not valid for this' },
    seen: { status: 400, code: 'INVALID_CONSENT' },
  },
  {
    amount: 7743,
    name: 'Product not offered',
    tells: 'The bank does not offer such payments to this company.',
    rejection: { status: 403, code: 'PRODUCT_INVALID', text: 'The company has no agreement on this product' },
    seen: { status: 400, code: 'UNSUPPORTED_PRODUCT_BY_BANK' },
  },
  {
    amount: 7744,
    name: 'Failed order',
    tells: 'The bank checks the order at once and reports the payment as failed.',
    rejection: { status: 400, code: 'PAYMENT_FAILED', text: 'The payment failed' },
    seen: { status: 422, code: 'InvalidRequest' },
  },
  {
    amount: 7745,
    name: 'Another authentication in progress',
    tells: 'The bank does not accept the order, because the user is authenticating elsewhere.',
    rejection: { status: 409, code: 'STATUS_INVALID', text: 'Another authentication of the user is in progress' },
    seen: { status: 400, code: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' },
  },
  {
    amount: 7746,
    name: 'Debtor name too long',
    tells: 'The bank accepts shorter names of its customers only.',
    rejection: { status: 400, code: 'FORMAT_ERROR', path: 'debtorName', text: 'The name is longer than 2 letters' },
    seen: { status: 422, code: 'SenderNameTooLong', path: '.from.contactInformation.name' },
  },
]

export const rejectionOutcomes: readonly Outcome[] = rejectedOrders.map(({ rejection, seen, ...row }) => ({
  ...row,
  script: { rejection },
  seen: { at: 'order', ...seen },
}))
