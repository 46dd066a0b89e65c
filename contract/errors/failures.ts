/** Lists the codes of Bad Request envelopes, each with its meaning, its usual cause and what to do. */

/** What the documentation says about an error; each text is one or two sentences for the partner. */
export type DocumentedError = {
  readonly meaning: string
  /** What usually leads to the error. */
  readonly cause: string
  /** What the caller does about it. */
  readonly action: string
  /** Present where the cause can end while the request stays the same: a repetition may get another response. */
  readonly isTemporary?: true
}

export const FAILURES = {
  INVALID_CONSENT: {
    meaning: 'The consent-id is missing, malformed or unknown, or its consent is not valid.',
    cause: 'The consent has expired, was revoked or replaced by a newer one, or its user never approved it.',
    action: 'Read the consent; if it is no longer ACCEPTED, create a new one and let the user approve it.',
    isTemporary: true,
  },
  AUTHENTICATION_TEMPORARY_UNAVAILABLE: {
    meaning:
      'The order cannot be signed now, usually because a user is signing it or the bank has not received all of it ' +
      'yet. Retry later, after Retry-After seconds if the header is present.',
    cause: 'The user has started to sign in another tab or on another device, and that session is still open.',
    action:
      'Let the user finish, or abandon the approval; then repeat the request, after Retry-After if it is present.',
    isTemporary: true,
  },
  UNSUPPORTED_PRODUCT_BY_BANK: {
    meaning: 'The bank does not offer this product.',
    cause: 'The bank does not offer this kind of payment, or the partner has no agreement about it.',
    action: 'Read supportedProducts of the bank before you offer it, and choose another kind of payment or bank.',
  },
  INVALID_OCR: {
    meaning: 'The receiver requires an OCR reference, and it is missing or wrong.',
    cause: 'The receiver has an OCR agreement that accepts only payments with a valid reference.',
    action: 'Send the reference of the invoice, digit by digit, as a reference instead of as a message.',
  },
  ACCESS_DENIED: {
    meaning: 'The user does not have the required access to the account.',
    cause: 'The account is not on the consent, or the user has no right to pay from it or to sign for the company.',
    action: 'Choose one of the accounts of the consent, or let a user with access to the account give a new consent.',
    isTemporary: true,
  },
  INVALID_ACCOUNT: {
    meaning: 'The account is missing or not on the consent.',
    cause: 'The id is that of another consent: the ids of accounts change with every consent.',
    action: 'List the accounts again and use the id from there; stableId tells which account it was.',
  },
  MAX_AMOUNT_EXCEEDED: {
    meaning: 'The amount is above the limit for a later due date; change the due date to today.',
    cause: 'Amounts for a later due date have a lower limit than those for today.',
    action: 'Set the due date to today, or split the payment.',
  },
  SERVICE_CLOSED: {
    meaning: 'The exchange service is closed or has no current rates; the message says when it opens.',
    cause: 'Payments with exchange that are due today can be ordered only during the opening hours.',
    action: 'Send the payment when the service opens; GET /api/fx/calendar has the hours.',
    isTemporary: true,
  },
  UNSUPPORTED_DUE_DATE: {
    meaning: 'The currency cannot be paid out for this due date.',
    cause: 'The due date is a holiday of the currency, or further ahead than the currency can be ordered.',
    action: 'Choose a day from GET /api/fx/calendar, or the firstDueDate that it names.',
  },
} as const satisfies { readonly [code in string]: DocumentedError }

export type FailureCode = keyof typeof FAILURES

export const FAILURE_CODES = Object.keys(FAILURES) as readonly FailureCode[]
