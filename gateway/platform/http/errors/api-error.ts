/** The errors that partners receive: their kinds, and the validation errors of a body. */
import type { CodedErrorCode } from '../../../../contract/errors/coded-errors.ts'
import type { ParsingCode, ValidationCode } from '../../../../contract/errors/error-codes.ts'
import type { FailureCode } from '../../../../contract/errors/failures.ts'
import type { TokenRejectionCode } from '../../../../contract/errors/general-errors.ts'
import type { TokenErrorCode } from '../../../../contract/errors/oauth-errors.ts'

/** Kinds of errors that have no code in the contract. */
export type ApiErrorKind =
  | 'bad-request'
  /** The body is missing or is not JSON. */
  | 'unreadable'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'not-acceptable'
  /** The request did not arrive completely in time. */
  | 'request-timeout'
  | 'conflict'
  | 'too-large'
  | 'unsupported-media-type'
  | 'too-many-requests'
  /** Nothing was ordered, signed or cancelled; the request may be sent again. */
  | 'unavailable'
  /** The bank received the request and its answer is not known; names the order. */
  | 'outcome-unknown'

/** A code of the contract, or a kind without one. */
export type ApiErrorReason = FailureCode | CodedErrorCode | ApiErrorKind

/** Fields of an error body in addition to `message`. */
export type ApiErrorDetails = {
  readonly paymentId?: string
  readonly payrollId?: string
  readonly retryAfterSeconds?: number
  readonly allow?: string
  /** Why a token was rejected (RFC 6750, 3.1); absent for a request without a token. */
  readonly tokenRejection?: Exclude<TokenRejectionCode, 'TokenMissing'>
  /** Whose token it is, where its signature is valid all the same; never part of the response. */
  readonly caller?: { readonly partnerId: string; readonly clientId: string }
  /** The onboarding that an existing company was created by. */
  readonly onboardingId?: string | null
  /** Each validation error, where the operation answers a malformed body with an envelope. */
  readonly validationErrors?: readonly ValidationError[]
}

/** One validation error of a body; `path` starts with a dot, e.g. `.transactions[3].amount.amount`. */
export type ValidationError = {
  readonly code: ValidationCode
  readonly reason: string
  readonly path: string
  /** For a schema error: why the value cannot be parsed. */
  readonly parsing?: ParsingCode
  /** For a schema error: the keyword that the value violates. */
  readonly rule?: string
  /** The value has another type than its schema requires. */
  readonly isMistyped?: true
  /** About a state that can end, or a preference of the caller, not about the value: the same body may be accepted. */
  readonly isTemporary?: true
}

/** Completes the reason to a sentence: one without a subject gets the field name, for example `dueDate is required`. */
export function withSubject<Located extends { readonly path: string; readonly reason: string }>(
  error: Located,
): Located {
  const { path, reason } = error
  return /^\p{Ll}/u.test(reason) && !reason.startsWith(`${fieldNameOf(path)} `)
    ? { ...error, reason: `${fieldNameOf(path)} ${reason}` }
    : error
}

/** The last field of a path, `payments[3]` of `.payments[3]`; `body` where there is none. */
export function fieldNameOf(path: string): string {
  const [, member = ''] = /(?:^|\.)([^.]*)$/.exec(path) ?? []
  return member === '' ? 'The body' : member
}

/** Thrown when a request is rejected deliberately. Anything else that is thrown is a bug. */
export class ApiError extends Error {
  readonly reasonCode: ApiErrorReason
  readonly extras: ApiErrorDetails

  constructor(reasonCode: ApiErrorReason, message: string, extras: ApiErrorDetails = {}) {
    super(message)
    this.name = 'ApiError'
    this.reasonCode = reasonCode
    this.extras = extras
  }
}

/** Thrown by the token endpoint, whose errors have the form of RFC 6749. */
export class OAuthError extends Error {
  readonly error: TokenErrorCode
  readonly validationErrors: readonly ValidationError[]

  constructor(error: OAuthError['error'], description: string, validationErrors: readonly ValidationError[] = []) {
    super(description)
    this.name = 'OAuthError'
    this.error = error
    this.validationErrors = validationErrors.map(withSubject)
  }
}

/** Thrown with all validation errors of a body at once, in the order of the body. */
export class InvalidRequestError extends Error {
  readonly validationErrors: readonly ValidationError[]

  constructor(validationErrors: readonly ValidationError[]) {
    super(`The request has ${validationErrors.length} validation error${validationErrors.length === 1 ? '' : 's'}`)
    this.name = 'Invalid'
    this.validationErrors = validationErrors.map(withSubject)
  }
}

/** Thrown for an `Idempotency-Key` that is reused with another body or another consent. */
export class IdempotencyKeyReusedError extends InvalidRequestError {
  constructor() {
    const reason = 'The Idempotency-Key was used before with another body or another consent-id'
    super([{ code: 'InvalidRequest', reason, path: '.' }])
    this.name = 'IdempotencyKeyReusedError'
  }
}

/** Thrown with the parse error of a request, by operations that report it in a format of their own. */
export class MalformedRequestError extends Error {
  readonly code: ParsingCode
  readonly parsingError: ParseError
  /** All errors of the request, this one included. */
  readonly errors: readonly (ParseError | ValidationError)[]

  constructor(code: ParsingCode, main: ParseError, errors: readonly ValidationError[] = []) {
    const parsingError = withSubject(main)
    super(parsingError.reason)
    this.name = 'Unreadable'
    this.code = code
    this.parsingError = parsingError
    this.errors = errors.length === 0 ? [{ ...parsingError, parsing: code }] : errors.map(withSubject)
  }
}

/** What of a request could not be parsed. */
type ParseError = Pick<ValidationError, 'reason' | 'path' | 'rule' | 'parsing' | 'isTemporary'>

/** Creates the error to throw: `throw apiError('ACCESS_DENIED', 'The debtor account is not on this consent')`. */
export function apiError<Reason extends Exclude<ApiErrorReason, 'outcome-unknown'>>(
  reasonCode: Reason,
  message: string,
  extras?: Reason extends 'unavailable' ? DetailsWithoutOrder : ApiErrorDetails,
): ApiError {
  return new ApiError(reasonCode, message, extras)
}

/** The same error with another `Retry-After`; unchanged without one, or where a list of errors is returned. */
export function withRetryAfter(error: Error, seconds: number | null): Error {
  return seconds !== null && error instanceof ApiError
    ? new ApiError(error.reasonCode, error.message, { ...error.extras, retryAfterSeconds: Math.max(1, seconds) })
    : error
}

type DetailsWithoutOrder = ApiErrorDetails & { readonly paymentId?: never; readonly payrollId?: never }

/** The order that an error is about, as partners know it. */
export type NamedOrder = { readonly paymentId: string } | { readonly payrollId: string }

const ORDER_FIELDS = ['paymentId', 'payrollId'] as const

/** The field and the id of the order that an error is about, if it is about one. */
export function namedOrderIn(
  details: Pick<ApiErrorDetails, 'paymentId' | 'payrollId'>,
): readonly [field: (typeof ORDER_FIELDS)[number], id: string] | undefined {
  const [named] = ORDER_FIELDS.flatMap((field) => {
    const id = details[field]
    return id === undefined ? [] : [[field, id] as const]
  })
  return named
}

/** Creates the only 503 that names an order: the bank's answer is not known. `detail` says what to do. */
export function outcomeUnknown(order: NamedOrder, detail: string, retryAfterSeconds?: number): ApiError {
  const extras = retryAfterSeconds === undefined ? order : { ...order, retryAfterSeconds }
  return new ApiError('outcome-unknown', `The bank was called and its response is unknown: ${detail}`, extras)
}

/** Creates the error for a value that is right but names something in a state which does not permit the request now. */
export function stateError(path: string, reason: string): ValidationError {
  return { code: 'InvalidRequest', reason, path, isTemporary: true }
}

/** Creates the error for a body with one validation error. */
export function invalidRequest(
  path: string,
  reason: string,
  code: ValidationCode = 'InvalidRequest',
): InvalidRequestError {
  return new InvalidRequestError([{ code, reason, path }])
}
