/** Lists the usual cause of each validation code, and what to do. */

import type { ParsingCode, ValidationCode } from './error-codes.ts'
import type { ErrorAdvice } from './failure-advice.ts'

const IBAN_ADVICE: ErrorAdvice = {
  cause: 'A digit is wrong or missing, two are swapped, or an account number of the country was sent as IBAN.',
  action: 'Compare the IBAN with the invoice, and send it with the type iban; spaces are allowed.',
}

export const VALIDATION_ADVICE: { readonly [code in ValidationCode]: ErrorAdvice } = {
  InvalidBBAN: {
    cause: 'The account number has a typing error, or is that of another country or another bank.',
    action: 'Send the bban exactly as GET /api/v2/accounts lists it.',
  },
  SenderNameTooLong: {
    cause: 'The name has more characters than the bank of the debtor accepts.',
    action: 'Shorten the name to maxInformationFieldLength of the bank.',
  },
  RecipientNameTooLong: {
    cause: 'The name has more characters than the bank of the debtor accepts.',
    action: 'Shorten the name to maxInformationFieldLength of the bank; with exchange, to 70 characters.',
  },
  InvalidAccountNumber: {
    cause: 'The account number has a typing error, or its type is not the one that was sent.',
    action: 'Compare number and type with the invoice; reason says which check failed.',
  },
  InvalidAmount: {
    cause: 'The amount was sent as a number, with a comma, with too many decimals, as zero, or is above a limit.',
    action: 'Send a string with a decimal point, for example "1250.00"; reason names a limit if there is one.',
  },
  InvalidDueDate: {
    cause: 'The day is in the past, too far ahead, a weekend or a bank holiday, or written in another form.',
    action: 'Send a day as YYYY-MM-DD; reason says which days are possible.',
  },
  InvalidRemittanceInfo: {
    cause: 'A reference has a wrong check digit, or the kind of reference does not exist in the country.',
    action: 'Compare the reference with the invoice, or ask the operation that validates remittance information.',
  },
  InvalidCharacters: {
    cause: 'A name or a message contains an emoji, a line break or a letter that the bank cannot transport.',
    action: 'Replace the character that reason names; validInformationFieldCharactersPattern of the bank lists them.',
  },
  InvalidCreationTime: {
    cause: 'The request was sent on a weekend, on a bank holiday or outside of the opening hours.',
    action: 'Send the request again on the next bank day; GET /api/fx/calendar has the hours.',
    isTemporary: true,
  },
  IbanBicMismatch: {
    cause: 'The BIC is that of a bank in another country than the IBAN, for example of its head office.',
    action: 'Compare both with the invoice, and correct the one that is wrong.',
  },
  InvalidIbanFormat: IBAN_ADVICE,
  InvalidFromAccount: {
    cause: 'The account to pay from is the one to pay to, or has a typing error.',
    action: 'Send the account exactly as GET /api/v2/accounts lists it, and another receiver.',
  },
  InvalidBbanOrIban: {
    cause: 'Neither an IBAN nor an account number of the receiver was sent, or the country requires the other one.',
    action: 'Send the one that the payment requirements of the country name.',
  },
  InvalidForwardAmount: {
    cause: 'The amount is above the limit of every due date, also of today.',
    action: 'Split the payment, or choose a smaller amount; GET /api/currencies has the limits.',
  },
  InvalidForwardCurrency: {
    cause: 'The currency cannot be bought ahead of the due date.',
    action: 'Send the payment on the due date itself.',
    isTemporary: true,
  },
  InvalidQuoteCurrencyScale: {
    cause: 'The amount has decimals that the currency does not have, for example 100.50 JPY.',
    action: 'Round the amount to the decimals that GET /api/currencies lists for the currency.',
  },
  InvalidForwardExchangeServiceTime: {
    cause: 'Exchange for a later day was ordered outside of the opening hours.',
    action: 'Send the payment while the service is open; GET /api/fx/calendar has the hours.',
    isTemporary: true,
  },
  InvalidJsonRequest: {
    cause: 'The body is empty, cut off, not in UTF-8, or contains a trailing comma or a comment.',
    action: 'Send the output of a JSON serialiser, and do not assemble JSON from strings.',
  },
  InvalidBeneficiaryCountry: {
    cause: 'The country of the receiver is not served, or is under sanctions.',
    action: 'GET /api/country lists the supported countries.',
  },
  InvalidBIC: {
    cause: 'The BIC has a typing error, or does not have 8 or 11 characters.',
    action: 'Compare the BIC with the invoice; GET /api/v2/banks/{countryCode} lists those of our banks.',
  },
  InvalidToAddress: {
    cause: 'A part of the address that the country of the receiver requires is missing, or its post code is malformed.',
    action: 'Send the field that reason names; the payment requirements of the country list the required ones.',
  },
  InvalidFromCountry: {
    cause: 'The country of the sender was not changed together with the BIC.',
    action: 'Send the country of the bank whose BIC you send.',
  },
  InvalidToAccount: {
    cause: 'The same value was sent as IBAN and as account number.',
    action: 'Send one of the two, the one that the payment requirements of the country name.',
  },
  InvalidIban: IBAN_ADVICE,
  InvalidCurrency: {
    cause: 'The currency is not paid out in the country of the receiver.',
    action: 'Choose one of the currencies in the payment requirements of the country.',
  },
  CurrencyPairMismatch: {
    cause: 'Both sides have the same currency, so that nothing is exchanged, or two fields contradict each other.',
    action: 'Send a payment without exchange, or correct one of the two currencies.',
  },
  InvalidRecipientInfo: {
    cause:
      'The country of the receiver requires a purpose code, a tax code or a clearing code, or another account number.',
    action: 'Send what reason names; the payment requirements of the country have the formats and values.',
  },
  InvalidRemittanceInformation: {
    cause: 'The text is longer than payments abroad can carry, or contains a character that they cannot.',
    action: 'Shorten the text or replace the character; the payment requirements have the limit.',
  },
  InvalidRequest: {
    cause: 'A field is missing, has the wrong type or format, or contradicts another one.',
    action: 'Correct the field at path; reason says what it must be.',
  },
}

/** `InvalidJsonRequest` is among the validation codes. */
export const PARSING_ADVICE: { readonly [code in Exclude<ParsingCode, ValidationCode>]: ErrorAdvice } = {
  MissingField: {
    cause: 'A required field was left out or misspelled, or is null.',
    action: 'Send the field at path.',
  },
  InvalidFieldType: {
    cause: 'A number was sent instead of a string, or a value instead of an object or a list.',
    action: 'Send the type that reason names; amounts and account numbers are strings.',
  },
  InvalidFieldFormat: {
    cause: 'The value is not written in the required form: a date with dots, a currency in small letters.',
    action: 'Write the value as in the example that reason names.',
  },
  UnknownEnumValue: {
    cause: 'The value is misspelled, or has other capital letters than the documented one.',
    action: 'Send one of the values that reason lists.',
  },
  UnknownField: {
    cause: 'The name of the field is misspelled, or the field belongs to another object.',
    action: 'Use the name that the message suggests, or remove the field. Without the preference it is only ignored.',
  },
}
