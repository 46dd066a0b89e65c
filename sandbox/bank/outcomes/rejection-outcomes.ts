/** Scripted outcomes of orders that the bank rejects, one per reason. */
import type { Outcome, ScriptedRejection } from './scripted-outcome.ts'

type RejectedOrder = Pick<Outcome, 'amount' | 'name' | 'tells'> & {
  readonly rejection: ScriptedRejection
  readonly seen: { readonly status: 400 | 422; readonly code: string; readonly path?: string }
}

const rejectedOrders: readonly RejectedOrder[] = [
  {
    amount: 7731,
    name: "The payer's account is wrong",
    tells: 'The bank finds fault with the account to pay from.',
    rejection: { status: 400, code: 'FORMAT_ERROR', path: 'debtorAccount', text: 'This is no account number' },
    seen: { status: 422, code: 'InvalidBBAN', path: '.from.account.bban' },
  },
  {
    amount: 7732,
    name: "The receiver's account is wrong",
    tells: 'The bank finds fault with the account to pay to.',
    rejection: { status: 400, code: 'FORMAT_ERROR', path: 'creditorAccount', text: 'This is no account number' },
    seen: { status: 422, code: 'InvalidAccountNumber', path: '.to.account.bban' },
  },
  {
    amount: 7733,
    name: "The receiver's name is too long",
    tells: 'The bank takes shorter names only.',
    rejection: { status: 400, code: 'FORMAT_ERROR', path: 'creditorName', text: 'The name is longer than 2 letters' },
    seen: { status: 422, code: 'RecipientNameTooLong', path: '.to.contactInformation.name' },
  },
  {
    amount: 7734,
    name: "The receiver's name has strange letters",
    tells: 'The bank does not know a letter of the name.',
    rejection: { status: 400, code: 'FORMAT_ERROR', path: 'creditorName', text: 'The name holds an unknown character' },
    seen: { status: 422, code: 'InvalidCharacters', path: '.to.contactInformation.name' },
  },
  {
    amount: 7735,
    name: 'The amount is not accepted',
    tells: 'The bank does not take this amount.',
    rejection: { status: 400, code: 'FORMAT_ERROR', path: 'instructedAmount', text: 'The amount is above your limit' },
    seen: { status: 422, code: 'InvalidAmount', path: '.amount.amount' },
  },
  {
    amount: 7736,
    name: 'The message is not accepted',
    tells: 'The bank finds fault with what is told to the receiver.',
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
    name: 'The date is not accepted',
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
    name: 'Something else is wrong',
    tells: 'The bank finds fault with the order and does not say where.',
    rejection: { status: 400, code: 'FORMAT_ERROR', text: 'The order is not accepted' },
    seen: { status: 422, code: 'InvalidRequest' },
  },
  {
    amount: 7739,
    name: 'A reference is missing',
    tells: 'The receiver demands a KID, OCR or other reference, and none or a wrong one came.',
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
    name: 'The user may not pay',
    tells: 'The user sees the account and has no right to pay from it.',
    rejection: { status: 403, code: 'SERVICE_BLOCKED', path: 'debtorAccount', text: 'The user may not pay from here' },
    seen: { status: 400, code: 'ACCESS_DENIED' },
  },
  {
    amount: 7741,
    name: 'The user does not have the account',
    tells: 'The account is not one of the user’s at this bank.',
    rejection: { status: 403, code: 'RESOURCE_UNKNOWN', path: 'debtorAccount', text: 'The user has no such account' },
    seen: { status: 400, code: 'ACCESS_DENIED' },
  },
  {
    amount: 7742,
    name: 'The consent is not accepted',
    tells: 'The bank says that the consent is no longer good. It is for this order only.',
    rejection: { status: 401, code: 'CONSENT_INVALID', text: 'The consent is not valid for this' },
    seen: { status: 400, code: 'INVALID_CONSENT' },
  },
  {
    amount: 7743,
    name: 'The product is not offered',
    tells: 'The bank does not offer such payments to this company.',
    rejection: { status: 403, code: 'PRODUCT_INVALID', text: 'The company has no agreement on this product' },
    seen: { status: 400, code: 'UNSUPPORTED_PRODUCT_BY_BANK' },
  },
  {
    amount: 7744,
    name: 'The order fails',
    tells: 'The bank checks the order at once and says that the payment failed.',
    rejection: { status: 400, code: 'PAYMENT_FAILED', text: 'The payment failed' },
    seen: { status: 422, code: 'InvalidRequest' },
  },
]

export const rejectionOutcomes: readonly Outcome[] = rejectedOrders.map(({ rejection, seen, ...row }) => ({
  ...row,
  script: { rejection },
  seen: { at: 'order', ...seen },
}))
