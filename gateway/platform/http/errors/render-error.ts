/** Turns what was thrown into status, headers and body; the only file that knows status codes of failures. */
import { CODED_REFUSALS, isRefusalCode } from '../../../../contract/errors/coded-errors.ts'
import { FAILURE_CODES, type FailureCode } from '../../../../contract/errors/error-codes.ts'
import type { TokenErrorCode } from '../../../../contract/token.ts'
import {
  Invalid,
  OAuthRefusal,
  Refusal,
  type RefusalExtras,
  type RefusalKind,
  type RefusalReason,
  Unreadable,
} from './api-error.ts'

/** An answer as it goes over the wire. */
export type RenderedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What is protected, as challenges name it (RFC 9110, 11.5). */
const REALM = 'Havn'
const OUR_FAULT = 'Something went wrong on our side.'

const statusByKind: Readonly<Record<RefusalKind, number>> = {
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

/** Renders a failure. What is neither a refusal nor a problem list is a bug: 500 without detail. */
export function renderFailure(error: unknown, svcRequestId: string): RenderedAnswer {
  if (error instanceof Invalid) {
    const problems = error.problems.map(({ code, reason, path }) => ({ code, reason, path }))
    return { status: 422, headers: {}, body: JSON.stringify(problems) }
  }
  if (error instanceof Unreadable) {
    return { status: 400, headers: {}, body: JSON.stringify(error.told) }
  }
  if (error instanceof Refusal) {
    return renderRefusal(error, svcRequestId)
  }
  return envelope(500, { svcRequestId, message: `${OUR_FAULT} Quote svcRequestId to support.` })
}

function renderRefusal(refusal: Refusal, svcRequestId: string): RenderedAnswer {
  const { reasonCode, message, extras } = refusal
  const { paymentId, payrollId } = extras
  const named = { ...(paymentId === undefined ? {} : { paymentId }), ...(payrollId === undefined ? {} : { payrollId }) }
  if (isFailureCode(reasonCode)) {
    return envelope(400, { failure: reasonCode, svcRequestId, message, ...named }, headersOf(refusal))
  }
  if (isRefusalCode(reasonCode)) {
    const { onboardingId } = extras
    const told = reasonCode === 'INACTIVE_SUBSCRIPTION' ? {} : { message }
    const also = onboardingId === undefined ? {} : { additionalInformation: { onboardingId } }
    return envelope(CODED_REFUSALS[reasonCode].status, { failure: reasonCode, svcRequestId, ...told, ...also })
  }
  return envelope(statusByKind[reasonCode], { svcRequestId, message, ...named }, headersOf(refusal))
}

/** Renders a failure of the token endpoint: `error` and `error_description` (RFC 6749, 5.2), whatever failed. */
export function renderOAuthFailure(error: unknown): RenderedAnswer {
  if (error instanceof OAuthRefusal) {
    const { message } = error
    return error.error === 'invalid_client'
      ? oauthError(401, { error: 'invalid_client', message }, { 'www-authenticate': `Basic realm="${REALM}"` })
      : oauthError(400, { error: error.error, message })
  }
  if (!(error instanceof Refusal) || isFailureCode(error.reasonCode) || isRefusalCode(error.reasonCode)) {
    return oauthError(500, { error: 'server_error', message: OUR_FAULT })
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

function headersOf({ reasonCode, message, extras }: Refusal): Record<string, string> {
  return {
    ...(reasonCode === 'unauthenticated' ? { 'www-authenticate': challengeOf(message, extras) } : {}),
    ...(extras.allow === undefined ? {} : { allow: extras.allow }),
    ...(extras.retryAfterSeconds === undefined ? {} : { 'retry-after': String(extras.retryAfterSeconds) }),
  }
}

/** RFC 6750, 3: a request without a token is told of no error. */
function challengeOf(message: string, { tokenError }: RefusalExtras): string {
  const error = tokenError === undefined ? [] : [`error="${tokenError}"`, `error_description="${quotable(message)}"`]
  return `Bearer ${[`realm="${REALM}"`, ...error].join(', ')}`
}

/** Descriptions of both RFCs are printable ASCII without quotes and backslashes. */
function quotable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]|["\\]/g, "'")
}

function envelope(status: number, body: object, headers: Record<string, string> = {}): RenderedAnswer {
  return { status, headers, body: JSON.stringify(body) }
}

/** Whether a refusal carries a code of the contract. */
export function isFailureCode(code: RefusalReason): code is FailureCode {
  return (FAILURE_CODES as readonly string[]).includes(code)
}
