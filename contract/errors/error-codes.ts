/** Lists the codes of requests that are invalid or cannot be parsed, each with its meaning, its usual cause and what to do. */
import type { DocumentedError } from './failures.ts'

const INVALID_IBAN = {
  meaning: 'Not a valid IBAN: its country, length, characters or check digits are wrong.',
  cause: 'A digit is wrong or missing, two are swapped, or an account number of the country was sent as IBAN.',
  action: 'Compare the IBAN with the invoice, and send it with the type iban; spaces are allowed.',
} as const

/** Codes of validation errors. */
export const VALIDATION_ERRORS = {
  InvalidBBAN: {
    meaning: 'The debtor account is not a valid account number of its country.',
    cause: 'The account number has a typing error, or is that of another country or another bank.',
    action: 'Send the bban exactly as GET /api/v2/accounts lists it.',
  },
  SenderNameTooLong: {
    meaning: "The sender's name is longer than the debtor's bank accepts.",
    cause: 'The name has more characters than the bank of the debtor accepts.',
    action: 'Shorten the name to maxInformationFieldLength of the bank.',
  },
  RecipientNameTooLong: {
    meaning: "The receiver's name is longer than the debtor's bank accepts.",
    cause: 'The name has more characters than the bank of the debtor accepts.',
    action: 'Shorten the name to maxInformationFieldLength of the bank; with exchange, to 70 characters.',
  },
  InvalidAccountNumber: {
    meaning:
      'The creditor account is not a valid account number of its country, is of a type that the bank does not pay ' +
      'to, or is not the one on the payment form.',
    cause: 'The account number has a typing error, or its type is not the one that was sent.',
    action: 'Compare number and type with the invoice; reason says which check failed.',
  },
  InvalidAmount: {
    meaning: 'The amount is not a positive decimal that its currency allows, or is above a limit named in reason.',
    cause: 'The amount was sent as a number, with a comma, with too many decimals, as zero, or is above a limit.',
    action: 'Send a string with a decimal point, for example "1250.00"; reason names a limit if there is one.',
  },
  InvalidDueDate: {
    meaning:
      'The due date is not a date, is in the past or too far ahead for the bank, or is not a bank day where it must ' +
      'be.',
    cause: 'The day is in the past, too far ahead, a weekend or a bank holiday, or written in another form.',
    action: 'Send a day as YYYY-MM-DD; reason says which days are possible.',
  },
  InvalidRemittanceInfo: {
    meaning: 'The remittance information is malformed, too long, or not possible for this payment.',
    cause: 'A reference has a wrong check digit, or the kind of reference does not exist in the country.',
    action: 'Compare the reference with the invoice, or ask the operation that validates remittance information.',
  },
  InvalidCharacters: {
    meaning: "A text contains a character that the debtor's bank does not accept.",
    cause: 'A name or a message contains an emoji, a line break or a letter that the bank cannot transport.',
    action: 'Replace the character that reason names; validInformationFieldCharactersPattern of the bank lists them.',
  },
  InvalidCreationTime: {
    meaning: 'Exchange can be ordered on bank days only.',
    cause: 'The request was sent on a weekend, on a bank holiday or outside of the opening hours.',
    action: 'Send the request again on the next bank day; GET /api/fx/calendar has the hours.',
    isTemporary: true,
  },
  IbanBicMismatch: {
    meaning: 'The IBAN and the BIC belong to different countries.',
    cause: 'The BIC is that of a bank in another country than the IBAN, for example of its head office.',
    action: 'Compare both with the invoice, and correct the one that is wrong.',
  },
  InvalidIbanFormat: INVALID_IBAN,
  InvalidFromAccount: {
    meaning: 'The debtor account is not valid in its country, or equals the receiver’s account.',
    cause: 'The account to pay from is the one to pay to, or has a typing error.',
    action: 'Send the account exactly as GET /api/v2/accounts lists it, and another receiver.',
  },
  InvalidBbanOrIban: {
    meaning: 'The receiver’s account number is missing, or not valid in its country.',
    cause: 'Neither an IBAN nor an account number of the receiver was sent, or the country requires the other one.',
    action: 'Send the one that the payment requirements of the country name.',
  },
  InvalidForwardAmount: {
    meaning: 'The amount is above every limit for a later due date.',
    cause: 'The amount is above the limit of every due date, also of today.',
    action: 'Split the payment, or choose a smaller amount; GET /api/currencies has the limits.',
  },
  InvalidForwardCurrency: {
    meaning: 'The currency can be ordered on the due date only.',
    cause: 'The currency cannot be bought ahead of the due date.',
    action: 'Send the payment on the due date itself.',
    isTemporary: true,
  },
  InvalidQuoteCurrencyScale: {
    meaning: 'The amount has more decimals than its currency.',
    cause: 'The amount has decimals that the currency does not have, for example 100.50 JPY.',
    action: 'Round the amount to the decimals that GET /api/currencies lists for the currency.',
  },
  InvalidForwardExchangeServiceTime: {
    meaning: 'Exchange for a later day can be ordered only while the service is open.',
    cause: 'Exchange for a later day was ordered outside of the opening hours.',
    action: 'Send the payment while the service is open; GET /api/fx/calendar has the hours.',
    isTemporary: true,
  },
  InvalidJsonRequest: {
    meaning: 'The body is not valid JSON.',
    cause: 'The body is empty, cut off, not in UTF-8, or contains a trailing comma or a comment.',
    action: 'Send the output of a JSON serialiser, and do not assemble JSON from strings.',
  },
  InvalidBeneficiaryCountry: {
    meaning: 'Payments to the country of the receiver are not supported.',
    cause: 'The country of the receiver is not served, or is under sanctions.',
    action: 'GET /api/country lists the supported countries.',
  },
  InvalidBIC: {
    meaning: 'Invalid BIC, or the BIC of another bank.',
    cause: 'The BIC has a typing error, or does not have 8 or 11 characters.',
    action: 'Compare the BIC with the invoice; GET /api/v2/banks/{countryCode} lists those of our banks.',
  },
  InvalidToAddress: {
    meaning: 'A field of the receiver’s address is missing or wrong; see reason and path.',
    cause: 'A part of the address that the country of the receiver requires is missing, or its post code is malformed.',
    action: 'Send the field that reason names; the payment requirements of the country list the required ones.',
  },
  InvalidFromCountry: {
    meaning: 'The country of the sender is not that of the BIC, or payments from it are not supported.',
    cause: 'The country of the sender was not changed together with the BIC.',
    action: 'Send the country of the bank whose BIC you send.',
  },
  InvalidToAccount: {
    meaning: 'The IBAN and the account number of the receiver are the same: send one of them.',
    cause: 'The same value was sent as IBAN and as account number.',
    action: 'Send one of the two, the one that the payment requirements of the country name.',
  },
  InvalidIban: INVALID_IBAN,
  InvalidCurrency: {
    meaning: 'The currency is not supported for the country of the receiver, or not exchanged.',
    cause: 'The currency is not paid out in the country of the receiver.',
    action: 'Choose one of the currencies in the payment requirements of the country.',
  },
  CurrencyPairMismatch: {
    meaning: 'The currency of the receiver is that of the sender, or contradicts the currency of the amount.',
    cause: 'Both sides have the same currency, so that nothing is exchanged, or two fields contradict each other.',
    action: 'Send a payment without exchange, or correct one of the two currencies.',
  },
  InvalidRecipientInfo: {
    meaning: 'Information that the country of the receiver requires is missing or wrong; see reason.',
    cause:
      'The country of the receiver requires a purpose code, a tax code or a clearing code, or another account number.',
    action: 'Send what reason names; the payment requirements of the country have the formats and values.',
  },
  InvalidRemittanceInformation: {
    meaning: 'The text for the receiver is too long, or contains an unsupported character.',
    cause: 'The text is longer than payments abroad can carry, or contains a character that they cannot.',
    action: 'Shorten the text or replace the character; the payment requirements have the limit.',
  },
  InvalidRequest: {
    meaning: 'Another field is missing or malformed; see reason and path.',
    cause: 'A field is missing, has the wrong type or format, or contradicts another one.',
    action: 'Correct the field at path; reason says what it must be.',
  },
} as const satisfies { readonly [code in string]: DocumentedError }

export type ValidationCode = keyof typeof VALIDATION_ERRORS

export const VALIDATION_CODES = Object.keys(VALIDATION_ERRORS) as readonly ValidationCode[]

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

/** Codes of requests that cannot be parsed. */
export const PARSING_ERRORS = {
  InvalidJsonRequest: { ...VALIDATION_ERRORS.InvalidJsonRequest, meaning: 'The body is missing or not valid JSON.' },
  MissingField: {
    meaning: 'A required field is missing.',
    cause: 'A required field was left out or misspelled, or is null.',
    action: 'Send the field at path.',
  },
  InvalidFieldType: {
    meaning: 'A field has the wrong type, for example a number instead of a string.',
    cause: 'A number was sent instead of a string, or a value instead of an object or a list.',
    action: 'Send the type that reason names; amounts and account numbers are strings.',
  },
  InvalidFieldFormat: {
    meaning: 'A field has the wrong format, for example not that of a date.',
    cause: 'The value is not written in the required form: a date with dots, a currency in small letters.',
    action: 'Write the value as in the example that reason names.',
  },
  UnknownEnumValue: {
    meaning: 'A field has a value that is not allowed.',
    cause: 'The value is misspelled, or has other capital letters than the documented one.',
    action: 'Send one of the values that reason lists.',
  },
  UnknownField: {
    meaning: 'A field does not exist in this operation, and the request requires `Prefer: handling=strict`.',
    cause: 'The name of the field is misspelled, or the field belongs to another object.',
    action: 'Use the name that the message suggests, or remove the field. Without the preference it is only ignored.',
  },
} as const satisfies { readonly [code in string]: DocumentedError }

export type ParsingCode = keyof typeof PARSING_ERRORS
