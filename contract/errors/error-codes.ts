/** Lists the codes of errors: failure codes, validation codes and parsing codes, each with its meaning. */

/** Codes of Bad Request envelopes, each with its meaning for the partner. */
export const FAILURE_MEANINGS = {
  INVALID_CONSENT: 'The consent-id is missing, malformed or unknown, or its consent is not valid.',
  AUTHENTICATION_TEMPORARY_UNAVAILABLE:
    'The order cannot be signed now, usually because a user is signing it or the bank has not received all of it ' +
    'yet. Retry later, after Retry-After seconds if the header is present.',
  UNSUPPORTED_PRODUCT_BY_BANK: 'The bank does not offer this product.',
  INVALID_OCR: 'The receiver requires an OCR reference, and it is missing or wrong.',
  ACCESS_DENIED: 'The user does not have the required access to the account.',
  INVALID_ACCOUNT: 'The account is missing or not on the consent.',
  MAX_AMOUNT_EXCEEDED: 'The amount is above the limit for a later due date; change the due date to today.',
  SERVICE_CLOSED: 'The exchange service is closed or has no current rates; the message says when it opens.',
  UNSUPPORTED_DUE_DATE: 'The currency cannot be paid out for this due date.',
} as const

export type FailureCode = keyof typeof FAILURE_MEANINGS

export const FAILURE_CODES: readonly FailureCode[] = Object.keys(FAILURE_MEANINGS).filter(isFailureCode)

/** Codes of validation errors, each with its meaning for the partner. */
export const VALIDATION_MEANINGS = {
  InvalidBBAN: 'The debtor account is not a valid account number of its country.',
  SenderNameTooLong: "The sender's name is longer than the debtor's bank accepts.",
  RecipientNameTooLong: "The receiver's name is longer than the debtor's bank accepts.",
  InvalidAccountNumber:
    'The creditor account is not a valid account number of its country, is of a type that the bank does not pay to, ' +
    'or is not the one on the payment form.',
  InvalidAmount: 'The amount is not a positive decimal that its currency allows, or is above a limit named in reason.',
  InvalidDueDate:
    'The due date is not a date, is in the past or too far ahead for the bank, or is not a bank day where it must be.',
  InvalidRemittanceInfo: 'The remittance information is malformed, too long, or not possible for this payment.',
  InvalidCharacters: "A text contains a character that the debtor's bank does not accept.",
  InvalidCreationTime: 'Exchange can be ordered on bank days only.',
  IbanBicMismatch: 'The IBAN and the BIC belong to different countries.',
  InvalidIbanFormat: 'Not a valid IBAN: its country, length, characters or check digits are wrong.',
  InvalidFromAccount: 'The debtor account is not valid in its country, or equals the receiver’s account.',
  InvalidBbanOrIban: 'The receiver’s account number is missing, or not valid in its country.',
  InvalidForwardAmount: 'The amount is above every limit for a later due date.',
  InvalidForwardCurrency: 'The currency can be ordered on the due date only.',
  InvalidQuoteCurrencyScale: 'The amount has more decimals than its currency.',
  InvalidForwardExchangeServiceTime: 'Exchange for a later day can be ordered only while the service is open.',
  InvalidJsonRequest: 'The body is not valid JSON.',
  InvalidBeneficiaryCountry: 'Payments to the country of the receiver are not supported.',
  InvalidBIC: 'Invalid BIC, or the BIC of another bank.',
  InvalidToAddress: 'A field of the receiver’s address is missing or wrong; see reason and path.',
  InvalidFromCountry: 'The country of the sender is not that of the BIC, or payments from it are not supported.',
  InvalidToAccount: 'The IBAN and the account number of the receiver are the same: send one of them.',
  InvalidIban: 'Not a valid IBAN: its country, length, characters or check digits are wrong.',
  InvalidCurrency: 'The currency is not supported for the country of the receiver, or not exchanged.',
  CurrencyPairMismatch:
    'The currency of the receiver is that of the sender, or contradicts the currency of the amount.',
  InvalidRecipientInfo: 'Information that the country of the receiver requires is missing or wrong; see reason.',
  InvalidRemittanceInformation: 'The text for the receiver is too long, or contains an unsupported character.',
  InvalidRequest: 'Another field is missing or malformed; see reason and path.',
} as const

export type ValidationCode = keyof typeof VALIDATION_MEANINGS

export const VALIDATION_CODES: readonly ValidationCode[] = Object.keys(VALIDATION_MEANINGS).filter(isValidationCode)

/** The code of a validation error for which the schema names none. */
export const GENERAL_VALIDATION_CODE: ValidationCode = 'InvalidRequest'

/**
 * The annotation `invalid` of a schema: the error code by the JSON Schema keyword that failed.
 * `required` belongs to the missing field itself, `discriminator` to the union whose tag is wrong.
 */
export type InvalidByKeyword = { readonly [keyword in string]?: ValidationCode }

/** Returns the annotation that gives every error of a value the same code, its absence included. */
export function codeForEveryKeyword(code: ValidationCode): InvalidByKeyword {
  return { required: code, type: code, minLength: code, maxLength: code, pattern: code, enum: code, const: code }
}

/** Codes of requests that cannot be parsed, each with its meaning for the partner. */
export const PARSING_MEANINGS = {
  InvalidJsonRequest: 'The body is missing or not valid JSON.',
  MissingField: 'A required field is missing.',
  InvalidFieldType: 'A field has the wrong type, for example a number instead of a string.',
  InvalidFieldFormat: 'A field has the wrong format, for example not that of a date.',
  UnknownEnumValue: 'A field has a value that is not allowed.',
  UnknownField: 'A field does not exist in this operation, and the request requires `Prefer: handling=strict`.',
} as const

export type ParsingCode = keyof typeof PARSING_MEANINGS

function isFailureCode(code: string): code is FailureCode {
  return code in FAILURE_MEANINGS
}

function isValidationCode(code: string): code is ValidationCode {
  return code in VALIDATION_MEANINGS
}
