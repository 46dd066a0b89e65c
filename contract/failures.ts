/** Lists every way in which the interface says no: failure codes, validation codes and the bodies that carry them. */
import { type Static, type TSchema, Type } from 'typebox'

/** Codes of Bad Request envelopes, with what each means to a partner. */
export const FAILURE_MEANINGS = {
  INVALID_CONSENT: 'The consent-id is missing, malformed, unknown to this partner, or its consent is not in force.',
  AUTHENTICATION_TEMPORARY_UNAVAILABLE:
    'The bank cannot authenticate the user now, usually because another authentication of the same user is under way.',
  UNSUPPORTED_PRODUCT_BY_BANK: 'The bank does not offer this product.',
  INVALID_OCR: 'The receiver demands an OCR reference, and none or a wrong one came.',
  ACCESS_DENIED: 'The user has no access to the account, or not the access that this needs.',
  INVALID_ACCOUNT: 'The account is missing or is none of those on the consent.',
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

/** The body of a 422: every problem found, in the order of the body. */
export const ValidationProblems = Type.Array(ValidationProblem, {
  title: 'ValidationProblems',
  minItems: 1,
  description: 'Every problem found in the request, in the order of the body.',
})
export type ValidationProblems = Static<typeof ValidationProblems>

function isFailureCode(code: string): code is FailureCode {
  return code in FAILURE_MEANINGS
}

function isValidationCode(code: string): code is ValidationCode {
  return code in VALIDATION_MEANINGS
}
