/** Lists every way in which the interface says no: failure codes, validation codes and the bodies that carry them. */
import { type Static, type TSchema, Type } from 'typebox'

/** Codes of Bad Request envelopes, with what each means to a partner. */
export const FAILURE_MEANINGS = {
  INVALID_CONSENT: 'The consent-id is missing, malformed, unknown to this partner, or its consent is not in force.',
  AUTHENTICATION_TEMPORARY_UNAVAILABLE:
    'Nobody can sign this now, usually because a user is signing it, or because its bank does not hold all of it yet. Try ' +
    'again later, after the seconds in Retry-After where it is there.',
  UNSUPPORTED_PRODUCT_BY_BANK: 'The bank does not offer this product.',
  INVALID_OCR: 'The receiver demands an OCR reference, and none or a wrong one came.',
  ACCESS_DENIED: 'The user has no access to the account, or not the access that this needs.',
  INVALID_ACCOUNT: 'The account is missing or is none of those on the consent.',
  MAX_AMOUNT_EXCEEDED: 'The amount is above what may be ordered for a later day; change the due date to today.',
  SERVICE_CLOSED: 'Money is not exchanged at this hour, or there are no rates of late; the message says when it opens.',
  UNSUPPORTED_DUE_DATE: 'The currency cannot be paid out for this due date.',
} as const

export type FailureCode = keyof typeof FAILURE_MEANINGS

export const FAILURE_CODES: readonly FailureCode[] = Object.keys(FAILURE_MEANINGS).filter(isFailureCode)

/** Codes of validation failures, with what each means to a partner. */
export const VALIDATION_MEANINGS = {
  InvalidBBAN: 'The debtor account is not an account number of its country.',
  SenderNameTooLong: "The sender's name is longer than the debtor's bank takes.",
  RecipientNameTooLong: "The receiver's name is longer than the debtor's bank takes.",
  InvalidAccountNumber:
    'The creditor account is not an account number of its country, is of a kind that the bank does not pay to, or ' +
    'is not the one on the payment form.',
  InvalidAmount:
    'The amount is no decimal above zero that its currency takes, or is above a limit, which reason names.',
  InvalidDueDate:
    'The due date is no date, lies in the past or further ahead than the bank takes, or is no bank day where it must be.',
  InvalidRemittanceInfo: 'The remittance information is malformed, too long, or not possible for this payment.',
  InvalidCharacters: "A text holds a character that the debtor's bank does not take.",
  InvalidCreationTime: 'Exchange is ordered on bank days only.',
  IbanBicMismatch: 'The IBAN and the BIC are of different countries.',
  InvalidIbanFormat: 'The IBAN is none: its country, length, characters or check digits are wrong.',
  InvalidFromAccount: 'The paying account is none of its country, or is the receiver’s own.',
  InvalidBbanOrIban: 'The receiver’s account number is missing, or is none of its country.',
  InvalidForwardAmount: 'The amount is above every limit on orders for a later day.',
  InvalidForwardCurrency: 'The currency is never bought ahead: order it on the due date.',
  InvalidQuoteCurrencyScale: 'The amount has more decimals than its currency.',
  InvalidForwardExchangeServiceTime: 'Exchange for a later day is ordered while the service is open.',
  InvalidJsonRequest: 'The body is no JSON.',
  InvalidBeneficiaryCountry: 'No payments go to the country of the receiver.',
  InvalidBIC: 'The BIC is none, or is not that of the bank.',
  InvalidToAddress: 'A part of the receiver’s address is missing or wrong; reason and path name it.',
  InvalidFromCountry: 'The country of the sender is not that of the BIC, or is none that payments are made from.',
  InvalidToAccount: 'The IBAN and the account number of the receiver are the same: send one of them.',
  InvalidIban: 'The IBAN is none: its country, length, characters or check digits are wrong.',
  InvalidCurrency: 'The currency is not paid to the country of the receiver, or not exchanged here.',
  CurrencyPairMismatch: 'The currency to be paid is that of the sender, or contradicts the currency of the amount.',
  InvalidRecipientInfo: 'The country of the receiver demands something that is missing or wrong; reason says what.',
  InvalidRemittanceInformation: 'The text for the receiver is too long, or holds a character that does not travel.',
  InvalidRequest: 'Anything else that is missing or malformed; reason and path say what and where.',
} as const

export type ValidationCode = keyof typeof VALIDATION_MEANINGS

export const VALIDATION_CODES: readonly ValidationCode[] = Object.keys(VALIDATION_MEANINGS).filter(isValidationCode)

/** The code of a defect for which the schema names none. */
export const GENERAL_VALIDATION_CODE: ValidationCode = 'InvalidRequest'

/**
 * The annotation `invalid` of a schema: which code a defect gets, by the JSON Schema keyword that found it.
 * `required` belongs to the missing member itself, `discriminator` to the union whose tag is wrong.
 */
export type InvalidByKeyword = { readonly [keyword in string]?: ValidationCode }

/** The annotation that gives one code to every defect of a value, its absence included. */
export function everyDefect(code: ValidationCode): InvalidByKeyword {
  return { required: code, type: code, minLength: code, maxLength: code, pattern: code, enum: code, const: code }
}

/** What keeps a request from being read, with what each means to a partner. */
export const PARSING_MEANINGS = {
  InvalidJsonRequest: 'The body is missing or is no JSON.',
  MissingField: 'A member that is needed is not there.',
  InvalidFieldType: 'A member is of another type, for example a number in place of a text.',
  InvalidFieldFormat: 'A member has not the form that it must have, for example a date.',
  UnknownEnumValue: 'A member is none of the values that it may be.',
} as const

export type ParsingCode = keyof typeof PARSING_MEANINGS

/** The body of a 400 that tells what kept a request from being read. */
export const ParsingError = Type.Object(
  {
    code: Type.Enum(Object.keys(PARSING_MEANINGS), {
      description: Object.entries(PARSING_MEANINGS)
        .map(([code, meaning]) => `${code}: ${meaning}`)
        .join(' '),
    }),
    reason: Type.String({ description: 'What is wrong, for people.' }),
    path: Type.String({ description: 'Where it is, for example `.from.bban`; `.` for the whole body.' }),
  },
  { title: 'ParsingError', description: 'The first thing that keeps the request from being read.' },
)
export type ParsingError = Static<typeof ParsingError>

/** What every envelope has. */
export const refusalMembers = {
  svcRequestId: Type.String({
    format: 'uuid',
    description: 'Identifies the request in support cases; equal to the svc-request-id header.',
  }),
  message: Type.String({ description: 'The underlying reason, for people.' }),
}

/** The envelope without a code. */
export const Refusal = Type.Object(
  {
    ...refusalMembers,
    paymentId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The payment whose outcome at the bank is not known, where the refusal is about one.',
      }),
    ),
    payrollId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The payroll whose outcome at the bank is not known, where the refusal is about one.',
      }),
    ),
  },
  { title: 'Refusal', description: 'Why the request was refused.' },
)
export type Refusal = Static<typeof Refusal>

/** The envelope with a code out of those that an operation lists. */
export function failureEnvelope(codes: readonly FailureCode[]): TSchema {
  return Type.Object(
    {
      failure: Type.Optional(
        Type.Enum([...codes], {
          description:
            'What went wrong, for programs; absent when the request itself was malformed, for example a missing header.',
        }),
      ),
      ...refusalMembers,
    },
    { description: 'Why the request was refused.' },
  )
}

/** One problem found in a request's body or query. */
export const ValidationProblem = Type.Object(
  {
    code: Type.Enum([...VALIDATION_CODES], { description: 'What is wrong, for programs.' }),
    reason: Type.String({ description: 'What is wrong, for people.' }),
    path: Type.String({ description: 'Where it is, for example `.from.account.bban` or `.payments[3]`.' }),
  },
  { title: 'ValidationProblem', description: 'One problem of the request.' },
)
export type ValidationProblem = Static<typeof ValidationProblem>

/** The body of a 422: every problem found, in the order of the body; of endless ones the first. */
export const ValidationProblems = Type.Array(ValidationProblem, {
  title: 'ValidationProblems',
  minItems: 1,
  description:
    'Every problem found in the request, in the order of the body: the first 100 of them, of payrolls the first 1 000. ' +
    'Where a payroll has more, a last problem with the path `.` and the code InvalidRequest says how many there are.',
})
export type ValidationProblems = Static<typeof ValidationProblems>

function isFailureCode(code: string): code is FailureCode {
  return code in FAILURE_MEANINGS
}

function isValidationCode(code: string): code is ValidationCode {
  return code in VALIDATION_MEANINGS
}
