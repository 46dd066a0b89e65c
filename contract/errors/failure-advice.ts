/** Lists the usual cause of each failure code, and what to do. */
import type { CodedErrorCode } from './coded-errors.ts'
import type { FailureCode } from './error-codes.ts'

export const FAILURE_ADVICE: { readonly [code in FailureCode | CodedErrorCode]: ErrorAdvice } = {
  INVALID_CONSENT: {
    cause: 'The consent has expired, was revoked or replaced by a newer one, or its user never approved it.',
    action: 'Read the consent; if it is no longer ACCEPTED, create a new one and let the user approve it.',
    isTemporary: true,
  },
  AUTHENTICATION_TEMPORARY_UNAVAILABLE: {
    cause: 'The user has started to sign in another tab or on another device, and that session is still open.',
    action:
      'Let the user finish, or abandon the approval; then repeat the request, after Retry-After if it is present.',
    isTemporary: true,
  },
  UNSUPPORTED_PRODUCT_BY_BANK: {
    cause: 'The bank does not offer this kind of payment, or the partner has no agreement about it.',
    action: 'Read supportedProducts of the bank before you offer it, and choose another kind of payment or bank.',
  },
  INVALID_OCR: {
    cause: 'The receiver has an OCR agreement that accepts only payments with a valid reference.',
    action: 'Send the reference of the invoice, digit by digit, as a reference instead of as a message.',
  },
  ACCESS_DENIED: {
    cause: 'The account is not on the consent, or the user has no right to pay from it or to sign for the company.',
    action: 'Choose one of the accounts of the consent, or let a user with access to the account give a new consent.',
    isTemporary: true,
  },
  INVALID_ACCOUNT: {
    cause: 'The id is that of another consent: the ids of accounts change with every consent.',
    action: 'List the accounts again and use the id from there; stableId tells which account it was.',
  },
  MAX_AMOUNT_EXCEEDED: {
    cause: 'Amounts for a later due date have a lower limit than those for today.',
    action: 'Set the due date to today, or split the payment.',
  },
  SERVICE_CLOSED: {
    cause: 'Payments with exchange that are due today can be ordered only during the opening hours.',
    action: 'Send the payment when the service opens; GET /api/fx/calendar has the hours.',
    isTemporary: true,
  },
  UNSUPPORTED_DUE_DATE: {
    cause: 'The due date is a holiday of the currency, or further ahead than the currency can be ordered.',
    action: 'Choose a day from GET /api/fx/calendar, or the firstDueDate that it names.',
  },
  INACTIVE_SUBSCRIPTION: {
    cause: 'The subscription of the company was cancelled, or was never activated.',
    action: 'Activate the subscription of the company, then repeat the request.',
    isTemporary: true,
  },
  COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS: {
    cause: 'The operator has not enabled the company for payments abroad.',
    action: 'Ask the operator to enable the company; payments within the country work meanwhile.',
    isTemporary: true,
  },
  ONBOARDING_NOT_FOUND: {
    cause: 'The id is wrong, of another environment, or of an onboarding that has been deleted.',
    action: 'Use the id from the answer that started the onboarding, or list your onboardings.',
  },
  COMPANY_ALREADY_EXISTS: {
    cause: 'You have onboarded or registered the company before.',
    action: 'Continue with the existing company: GET /api/companies lists it. No new onboarding is needed.',
  },
}

/** For the reader of the documentation; each is one or two sentences. */
export type ErrorAdvice = {
  /** What usually leads to the error. */
  readonly cause: string
  /** What the caller does about it. */
  readonly action: string
  /** Present where the cause can end while the request stays the same: a repetition may get another response. */
  readonly isTemporary?: true
}
