/** Defines the bodies of errors: the documented forms, and the details that a request may ask for. */
import { type Static, type TSchema, Type } from 'typebox'
import type { Operation } from '../operation.ts'
import { CODED_ERRORS, type CodedErrorCode } from './coded-errors.ts'
import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.ts'
import { PARSING_ERRORS, VALIDATION_CODES } from './error-codes.ts'
import type { FailureCode } from './failures.ts'

/** A rejected value is quoted up to this length. */
export const QUOTED_CHARACTERS_MAX = 40

/** The preference (RFC 7240) by which a request asks for details. */
export const DETAILED_ERRORS = 'errors=detailed'

/** The extension that lists the fields which an error has only with the preference. */
const X_DETAILED = 'x-errors-detailed'

type Fields = Readonly<Record<string, TSchema>>

/** An error's body: one schema describes both forms, so details must be optional. */
export function errorBody<Documented extends Fields, Details extends Fields>(
  documented: Documented,
  details: Details,
  { title, description }: { readonly title: string; readonly description: string },
) {
  const names = Object.keys(details)
  const note = `Only with \`Prefer: ${DETAILED_ERRORS}\`: ${names.map((name) => `\`${name}\``).join(', ')}.`
  const options = { title, description: `${description} ${note}`, [X_DETAILED]: names }
  return Type.Object({ ...documented, ...details }, options)
}

/** The names of the fields that an error has by default. */
export function documentedFieldsOf(body: object): readonly string[] {
  const { properties, [X_DETAILED]: details = [] } = Object(body)
  return Object.keys(properties).filter((name) => !details.includes(name))
}

const codes = Object.keys(ERROR_CATALOGUE)
const ErrorCodeSchema = Type.Unsafe<ErrorCode>(
  Type.Enum(codes, {
    title: 'ErrorCode',
    description: 'What is wrong, for programs. New codes may be added; `docs` explains each.',
  }),
)

/** The fields that every single error has, whatever the form of the body. */
const detailFields = {
  message: Type.String({ description: 'What is wrong and what to do, as text.' }),
  value: Type.Optional(
    Type.String({
      maxLength: QUOTED_CHARACTERS_MAX + 1,
      quotable: true,
      description:
        'The rejected value as text, cut after 40 characters. Present only for fields that hold a code, a date ' +
        'or a choice: names, accounts, amounts and secrets are never quoted.',
    }),
  ),
  rule: Type.Optional(
    Type.String({
      description:
        'The keyword of the schema that the value violates, for example `maxLength`; absent where no schema states it.',
    }),
  ),
  docs: Type.String({ format: 'uri', description: 'Where the error, its usual cause and what to do are documented.' }),
}

const path = Type.String({
  description: 'The path of the field, for example `.from.account.bban`; `.` for the request as a whole.',
})

/** One error in any body. */
export const ErrorDetail = Type.Object(
  { code: ErrorCodeSchema, path, ...detailFields },
  { title: 'ErrorDetail', description: 'One error of the request.' },
)
export type ErrorDetail = Static<typeof ErrorDetail>

const svcRequestId = Type.String({
  format: 'uuid',
  description: 'Identifies the request in support cases; equal to the svc-request-id header.',
})
const message = Type.String({ description: 'The underlying reason, as text.' })

const errors = Type.Optional(
  Type.Array(ErrorDetail, {
    minItems: 1,
    description: 'Every error that was found; one where the request as a whole was rejected.',
  }),
)
const envelopeDetails = { code: Type.Optional(ErrorCodeSchema), errors }

/** The details of a body that has fields of its own in place of those of the envelope. */
const foreignBodyDetails = { svcRequestId: Type.Optional(svcRequestId), message: Type.Optional(message), errors }

/** The details of an error in the form of RFC 6749. */
export const oauthErrorDetails = {
  error_uri: Type.Optional(Type.String({ format: 'uri', description: 'Where the error is documented.' })),
  ...foreignBodyDetails,
  code: Type.Optional(ErrorCodeSchema),
}

const orderDetails = {
  paymentId: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'The payment whose outcome at the bank is unknown, if the error concerns one.',
    }),
  ),
  payrollId: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'The payroll whose outcome at the bank is unknown, if the error concerns one.',
    }),
  ),
}

/** The envelope without a code. */
export const ErrorResponse = errorBody(
  { svcRequestId, message },
  { ...envelopeDetails, ...orderDetails },
  { title: 'ErrorResponse', description: 'Why the request was rejected.' },
)
export type ErrorResponse = Static<typeof ErrorResponse>

/** The body of a 401 for a request whose token is missing or invalid. */
export const UnauthenticatedResponse = errorBody(
  { svcRequestId, message },
  {
    ...envelopeDetails,
    error: Type.Optional(
      Type.Enum(['invalid_token'], {
        description: 'The error of RFC 6750, also in WWW-Authenticate; absent for a request without a token.',
      }),
    ),
    error_description: Type.Optional(Type.String({ description: 'The reason, also in WWW-Authenticate.' })),
    error_uri: Type.Optional(
      Type.String({ format: 'uri', description: 'Where the reason is documented, also in WWW-Authenticate.' }),
    ),
  },
  { title: 'UnauthenticatedResponse', description: 'Why the caller could not be authenticated.' },
)
export type UnauthenticatedResponse = Static<typeof UnauthenticatedResponse>

/** Returns the envelope with one of the codes that an operation lists. */
export function failureEnvelope(failures: readonly FailureCode[]): TSchema {
  const failure = Type.Enum([...failures], {
    description: 'The error code; absent when the request itself was malformed, for example a missing header.',
  })
  return errorBody({ failure: Type.Optional(failure), svcRequestId, message }, envelopeDetails, {
    title: 'FailureResponse',
    description: 'Why the request was rejected.',
  })
}

/** The body of a 400 for a request that cannot be parsed. */
export const ParsingError = errorBody(
  {
    code: Type.Enum(Object.keys(PARSING_ERRORS), {
      description: Object.entries(PARSING_ERRORS)
        .map(([code, { meaning }]) => `${code}: ${meaning}`)
        .join(' '),
    }),
    reason: Type.String({ description: 'What is wrong, as text.' }),
    path: Type.String({ description: 'The path of the field, for example `.from.bban`; `.` for the whole body.' }),
  },
  foreignBodyDetails,
  { title: 'ParsingError', description: 'The first parsing error of the request.' },
)

/** One validation error of a request's body or query. */
export const ValidationError = errorBody(
  {
    code: Type.Enum([...VALIDATION_CODES], { description: 'The error code.' }),
    reason: Type.String({ description: 'What is wrong, as text.' }),
    path: Type.String({ description: 'The path of the field, for example `.from.account.bban` or `.payments[3]`.' }),
  },
  { ...detailFields, message: Type.Optional(detailFields.message), docs: Type.Optional(detailFields.docs) },
  { title: 'ValidationError', description: 'One validation error of the request.' },
)
export type ValidationError = Static<typeof ValidationError>

/** The body of a 422: the validation errors in the order of the body, up to a maximum. */
export const ValidationErrors = Type.Array(ValidationError, {
  title: 'ValidationErrors',
  minItems: 1,
  description:
    'The validation errors in the order of the body: the first 100, for payrolls the first 1 000. ' +
    'If a payroll has more, a last error with the path `.` and the code InvalidRequest gives their number.',
})
export type ValidationErrors = Static<typeof ValidationErrors>

/** Returns the error body of an operation for one status, with an optional code, for `errorBodies`. */
export const codedErrorBody: { readonly [code in CodedErrorCode]: TSchema } = {
  INACTIVE_SUBSCRIPTION: bodyOf('INACTIVE_SUBSCRIPTION'),
  COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS: bodyOf('COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS'),
  ONBOARDING_NOT_FOUND: bodyOf('ONBOARDING_NOT_FOUND'),
  COMPANY_ALREADY_EXISTS: bodyOf('COMPANY_ALREADY_EXISTS'),
}

/** Returns whether an operation may answer with the code. */
export function documentsErrorCode({ errorBodies }: Pick<Operation, 'errorBodies'>, code: CodedErrorCode): boolean {
  return errorBodies?.[CODED_ERRORS[code].status] === codedErrorBody[code]
}

/** The statuses for a body that is too large or of another media type: it is read also where none is expected, except of a GET. */
export function bodyErrorStatuses({ method }: Pick<Operation, 'method'>): readonly (413 | 415)[] {
  return method === 'GET' ? [] : [413, 415]
}

/** The schema of an operation's error body by its status; undefined where the operation does not list the status. */
export function errorBodyOf(operation: Operation, status: number): TSchema | undefined {
  const own = Object.entries(operation.errorBodies ?? {}).find(([listed]) => Number(listed) === status)?.[1]
  if (own !== undefined) {
    return own
  }
  if (status === 422) {
    return operation.validation.length > 0 ? ValidationErrors : undefined
  }
  if (status === 400 && operation.failures.length > 0) {
    return failureEnvelope(operation.failures)
  }
  const isListed = [...operation.errorStatuses, ...bodyErrorStatuses(operation)].some((listed) => listed === status)
  return isListed ? (status === 401 ? UnauthenticatedResponse : ErrorResponse) : undefined
}

function bodyOf(code: CodedErrorCode): TSchema {
  const { meaning, members, hasMessage } = CODED_ERRORS[code]
  const failure = Type.Enum([code], {
    description: `The error code; absent when the request was rejected for another reason. ${meaning}`,
  })
  const text = hasMessage ? message : Type.Optional(message)
  return errorBody({ failure: Type.Optional(failure), svcRequestId, message: text, ...members }, envelopeDetails, {
    title: titleOf(code),
    description: 'Why the request was rejected.',
  })
}

/** The name of its body in generated clients: `OnboardingNotFoundResponse`. */
function titleOf(code: CodedErrorCode): string {
  const words = code.split('_').map((word) => `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`)
  return `${words.join('')}Response`
}
