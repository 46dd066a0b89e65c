/** Renders an error as status, headers and body; the only file that knows the status codes of errors. */
import { CODED_ERRORS, isCodedErrorCode } from '../../../../contract/errors/coded-errors.ts'
import { FAILURE_CODES, type FailureCode } from '../../../../contract/errors/error-codes.ts'
import type { TokenErrorCode } from '../../../../contract/token.ts'
import {
  ApiError,
  type ApiErrorDetails,
  type ApiErrorKind,
  type ApiErrorReason,
  InvalidRequestError,
  MalformedRequestError,
  OAuthError,
} from './api-error.ts'

/** A response as it is sent. */
export type RenderedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The protected resource in challenges (RFC 9110, 11.5). */
const REALM = 'Havn'
const INTERNAL_ERROR_MESSAGE = 'Internal error.'

const statusByKind: Readonly<Record<ApiErrorKind, number>> = {
  'bad-request': 400,
  unreadable: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  conflict: 409,
  'too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  unavailable: 503,
  'outcome-unknown': 503,
}

/** Renders an error. Anything but an API error or a list of validation errors is a bug: 500 without detail. */
export function renderErrorResponse(error: unknown, svcRequestId: string): RenderedAnswer {
  if (error instanceof InvalidRequestError) {
    const validationErrors = error.validationErrors.map(({ code, reason, path }) => ({ code, reason, path }))
    return { status: 422, headers: {}, body: JSON.stringify(validationErrors) }
  }
  if (error instanceof MalformedRequestError) {
    return { status: 400, headers: {}, body: JSON.stringify(error.parsingError) }
  }
  if (error instanceof ApiError) {
    return renderApiError(error, svcRequestId)
  }
  return envelope(500, { svcRequestId, message: `${INTERNAL_ERROR_MESSAGE} Quote svcRequestId to support.` })
}

function renderApiError(error: ApiError, svcRequestId: string): RenderedAnswer {
  const { reasonCode, message, extras } = error
  const { paymentId, payrollId } = extras
  const named = { ...(paymentId === undefined ? {} : { paymentId }), ...(payrollId === undefined ? {} : { payrollId }) }
  if (isFailureCode(reasonCode)) {
    return envelope(400, { failure: reasonCode, svcRequestId, message, ...named }, headersOf(error))
  }
  if (isCodedErrorCode(reasonCode)) {
    const { onboardingId } = extras
    const messageField = reasonCode === 'INACTIVE_SUBSCRIPTION' ? {} : { message }
    const also = onboardingId === undefined ? {} : { additionalInformation: { onboardingId } }
    return envelope(CODED_ERRORS[reasonCode].status, { failure: reasonCode, svcRequestId, ...messageField, ...also })
  }
  return envelope(statusByKind[reasonCode], { svcRequestId, message, ...named }, headersOf(error))
}

/** Renders any error of the token endpoint: `error` and `error_description` (RFC 6749, 5.2). */
export function renderOAuthErrorResponse(error: unknown): RenderedAnswer {
  if (error instanceof OAuthError) {
    const { message } = error
    return error.error === 'invalid_client'
      ? oauthError(401, { error: 'invalid_client', message }, { 'www-authenticate': `Basic realm="${REALM}"` })
      : oauthError(400, { error: error.error, message })
  }
  if (!(error instanceof ApiError) || isFailureCode(error.reasonCode) || isCodedErrorCode(error.reasonCode)) {
    return oauthError(500, { error: 'server_error', message: INTERNAL_ERROR_MESSAGE })
  }
  const status = statusByKind[error.reasonCode]
  const code = status === 429 || status === 503 ? 'temporarily_unavailable' : 'invalid_request'
  return oauthError(status, { error: code, message: error.message }, headersOf(error))
}

function oauthError(
  status: number,
  { error, message }: { readonly error: TokenErrorCode; readonly message: string },
  headers: Record<string, string> = {},
): RenderedAnswer {
  return {
    status,
    headers: { 'cache-control': 'no-store', pragma: 'no-cache', ...headers },
    body: JSON.stringify({ error, error_description: quotable(message) }),
  }
}

function headersOf({ reasonCode, message, extras }: ApiError): Record<string, string> {
  return {
    ...(reasonCode === 'unauthenticated' ? { 'www-authenticate': bearerChallengeOf(message, extras) } : {}),
    ...(extras.allow === undefined ? {} : { allow: extras.allow }),
    ...(extras.retryAfterSeconds === undefined ? {} : { 'retry-after': String(extras.retryAfterSeconds) }),
  }
}

/** RFC 6750, 3: the challenge for a request without a token contains no error. */
function bearerChallengeOf(message: string, { tokenError }: ApiErrorDetails): string {
  const error = tokenError === undefined ? [] : [`error="${tokenError}"`, `error_description="${quotable(message)}"`]
  return `Bearer ${[`realm="${REALM}"`, ...error].join(', ')}`
}

/** Descriptions in both RFCs are printable ASCII without quotes and backslashes. */
function quotable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]|["\\]/g, "'")
}

function envelope(status: number, body: object, headers: Record<string, string> = {}): RenderedAnswer {
  return { status, headers, body: JSON.stringify(body) }
}

/** Whether an error has a code of the contract. */
export function isFailureCode(code: ApiErrorReason): code is FailureCode {
  return (FAILURE_CODES as readonly string[]).includes(code)
}
