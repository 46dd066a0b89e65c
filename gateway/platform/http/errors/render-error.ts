/** Renders an error with its details as status, headers and body; the only file that knows the status codes of errors. */
import { CODED_ERRORS, isCodedErrorCode } from '../../../../contract/errors/coded-errors.ts'
import type { UnauthenticatedResponse } from '../../../../contract/errors/error-bodies.ts'
import { ERROR_CATALOGUE, type ErrorCode } from '../../../../contract/errors/error-catalogue.ts'
import { FAILURE_CODES, type FailureCode } from '../../../../contract/errors/failures.ts'
import type { TokenErrorCode } from '../../../../contract/errors/oauth-errors.ts'
import {
  ApiError,
  type ApiErrorKind,
  type ApiErrorReason,
  InvalidRequestError,
  MalformedRequestError,
  namedOrderIn,
  OAuthError,
  type ValidationError,
} from './api-error.ts'
import { detailOf, detailsOf, docsUrlOf, type RejectedRequest, reportedErrorOf } from './error-details.ts'

/** The protected resource in challenges (RFC 9110, 11.5). */
const REALM = 'Havn'

/** An error in the terms of both RFCs. */
type OAuthFields = Pick<Required<UnauthenticatedResponse>, 'error_description' | 'error_uri'> & {
  readonly error: string
}

/** The fields of the body and the challenge for a token that was rejected; none without a token (RFC 6750, 3). */
function errorFieldsOfToken(
  request: RejectedRequest,
  { message, extras }: ApiError,
): OAuthFields | Record<string, never> {
  const { tokenRejection } = extras
  return tokenRejection === undefined
    ? {}
    : { error: 'invalid_token', error_description: quotable(message), error_uri: docsUrlOf(request, tokenRejection) }
}

/** Descriptions in both RFCs are printable ASCII without quotes and backslashes. */
function quotable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]|["\\]/g, "'")
}

/** A parameter that RFC 7617 does not know is ignored by the clients of the token endpoint. */
function challenge(scheme: 'Bearer' | 'Basic', fields: OAuthFields | Record<string, never>): string {
  const parameters = Object.entries({ realm: REALM, ...fields }).map(([name, text]) => `${name}="${text}"`)
  return `${scheme} ${parameters.join(', ')}`
}

/** A response before it is written: its body is sent as JSON, a text as it is, and undefined as none. */
export type RenderedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Whether a repetition of the same request may get another response: then this one is not stored for it. */
  readonly isTemporary?: boolean
}

const INTERNAL_ERROR_MESSAGE = 'Internal error. Quote svcRequestId to support.'

type KnownError = { readonly status: number; readonly code: ErrorCode }

const errorByKind: Readonly<Record<ApiErrorKind, KnownError>> = {
  'bad-request': { status: 400, code: 'BadRequest' },
  unreadable: { status: 400, code: 'InvalidJsonRequest' },
  unauthenticated: { status: 401, code: 'TokenMissing' },
  forbidden: { status: 403, code: 'Forbidden' },
  'not-found': { status: 404, code: 'NotFound' },
  'method-not-allowed': { status: 405, code: 'MethodNotAllowed' },
  'not-acceptable': { status: 406, code: 'NotAcceptable' },
  'request-timeout': { status: 408, code: 'RequestTimeout' },
  conflict: { status: 409, code: 'Conflict' },
  'too-large': { status: 413, code: 'ContentTooLarge' },
  'unsupported-media-type': { status: 415, code: 'UnsupportedMediaType' },
  'too-many-requests': { status: 429, code: 'TooManyRequests' },
  unavailable: { status: 503, code: 'ServiceUnavailable' },
  'outcome-unknown': { status: 503, code: 'OutcomeUnknown' },
}

/** The status of an error; anything but an API error or a list of validation errors is a bug: 500. */
export function statusOf(error: unknown): number {
  if (error instanceof InvalidRequestError) {
    return 422
  }
  if (error instanceof MalformedRequestError) {
    return 400
  }
  return error instanceof ApiError ? knownErrorOf(error).status : 500
}

/** Renders an error. A bug is rendered without detail. */
export function renderErrorResponse(error: unknown, request: RejectedRequest): RenderedAnswer {
  const status = statusOf(error)
  if (error instanceof InvalidRequestError) {
    return { status, headers: {}, body: error.validationErrors.map((each) => reportedErrorOf(request, each)) }
  }
  if (error instanceof MalformedRequestError) {
    return { status, headers: {}, body: parsingErrorOf(request, error) }
  }
  return error instanceof ApiError
    ? { status, headers: headersOf(request, error), body: envelopeOf(request, error) }
    : { status, headers: {}, body: internalErrorOf(request) }
}

/** Whether the same request may get another response once something has ended; a bug counts as temporary. */
export function isTemporaryError(error: unknown): boolean {
  if (error instanceof InvalidRequestError) {
    return error.validationErrors.some(
      ({ code, isTemporary }) => isTemporary === true || ERROR_CATALOGUE[code].isTemporary,
    )
  }
  if (error instanceof MalformedRequestError) {
    return error.errors.some(
      (each) => each.isTemporary === true || ERROR_CATALOGUE[codeOf(each) ?? error.code].isTemporary,
    )
  }
  if (!(error instanceof ApiError)) {
    return true
  }
  const { retryAfterSeconds, validationErrors = [] } = error.extras
  return (
    retryAfterSeconds !== undefined ||
    validationErrors.some(({ isTemporary }) => isTemporary === true) ||
    ERROR_CATALOGUE[knownErrorOf(error).code].isTemporary
  )
}

function knownErrorOf({ reasonCode, extras }: ApiError): KnownError {
  if (isFailureCode(reasonCode)) {
    return { status: 400, code: reasonCode }
  }
  if (isCodedErrorCode(reasonCode)) {
    return { status: CODED_ERRORS[reasonCode].status, code: reasonCode }
  }
  const known = errorByKind[reasonCode]
  return extras.tokenRejection === undefined ? known : { ...known, code: extras.tokenRejection }
}

function envelopeOf(request: RejectedRequest, error: ApiError): object {
  const { reasonCode, extras } = error
  const { onboardingId } = extras
  const named = namedOrderIn(extras)
  const message = withOrderNamed(error.message, named)
  const { code } = knownErrorOf(error)
  return {
    ...(code === reasonCode ? { failure: code } : {}),
    svcRequestId: request.svcRequestId,
    message,
    ...(named && Object.fromEntries([named])),
    ...(onboardingId === undefined ? {} : { additionalInformation: { onboardingId } }),
    ...errorFieldsOfToken(request, error),
    code,
    errors: detailsOf(request, code, { ...extras, message }),
  }
}

/** The documented form has no field for the id of the order. */
function withOrderNamed(message: string, named: ReturnType<typeof namedOrderIn>): string {
  return named === undefined || message.includes(named[1]) ? message : `${message} (${named.join(' ')})`
}

function parsingErrorOf(request: RejectedRequest, { code, parsingError, errors }: MalformedRequestError): object {
  const { reason, path } = parsingError
  const details = errors.map((error) => detailOf(request, error.parsing ?? codeOf(error) ?? code, error))
  return { code, reason, path, svcRequestId: request.svcRequestId, message: reason, errors: details }
}

function codeOf(error: MalformedRequestError['errors'][number]): ErrorCode | undefined {
  return 'code' in error ? error.code : undefined
}

function internalErrorOf(request: RejectedRequest): object {
  const { svcRequestId } = request
  const [code, message] = ['InternalServerError', INTERNAL_ERROR_MESSAGE] as const
  return { svcRequestId, message, code, errors: detailsOf(request, code, { message }) }
}

/** The header that says when to send the request again, of an error that says so. */
export function retryHeaderOf(error: unknown): Readonly<Record<string, string>> {
  const seconds = error instanceof ApiError ? error.extras.retryAfterSeconds : undefined
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}

function headersOf(request: RejectedRequest, error: ApiError): Record<string, string> {
  const { allow } = error.extras
  return {
    ...(error.reasonCode === 'unauthenticated'
      ? { 'www-authenticate': challenge('Bearer', errorFieldsOfToken(request, error)) }
      : {}),
    ...(allow === undefined ? {} : { allow }),
    ...retryHeaderOf(error),
  }
}

export function isFailureCode(code: ApiErrorReason): code is FailureCode {
  return (FAILURE_CODES as readonly string[]).includes(code)
}

type TokenRejection = {
  readonly code: TokenErrorCode
  readonly message: string
  readonly validationErrors?: readonly ValidationError[]
}

/** Tokens and the reasons for which none was issued must not be cached on the way (RFC 6749, 5.1). */
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }

export function renderOAuthErrorResponse(error: unknown, request: RejectedRequest): RenderedAnswer {
  if (error instanceof OAuthError) {
    const { error: code, message, validationErrors } = error
    const status = code === 'invalid_client' ? 401 : 400
    return rendered(request, status, { code, message, validationErrors })
  }
  if (!(error instanceof ApiError) || isFailureCode(error.reasonCode) || isCodedErrorCode(error.reasonCode)) {
    return rendered(request, 500, { code: 'server_error', message: INTERNAL_ERROR_MESSAGE })
  }
  const status = statusOf(error)
  const code = status === 429 || status === 503 ? 'temporarily_unavailable' : 'invalid_request'
  const { headers, ...answer } = rendered(request, status, { code, message: error.message })
  return { ...answer, headers: { ...headers, ...retryHeaderOf(error) } }
}

function rendered(request: RejectedRequest, status: number, rejection: TokenRejection): RenderedAnswer {
  const { code, message } = rejection
  const error = { error: code, error_description: quotable(message), error_uri: docsUrlOf(request, code) }
  const { svcRequestId } = request
  const body = { ...error, svcRequestId, message, code, errors: detailsOf(request, code, rejection) }
  const challenged = status === 401 ? { 'www-authenticate': challenge('Basic', error) } : {}
  return { status, headers: { ...NO_STORE, ...challenged }, body }
}
