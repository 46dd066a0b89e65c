/** Turns what was thrown into status, headers and body; the only file that knows status codes of failures. */
import { CODED_REFUSALS, isRefusalCode } from '../../../contract/coded-refusals.ts'
import { FAILURE_CODES, type FailureCode } from '../../../contract/failures.ts'
import { Invalid, OAuthRefusal, Refusal, type RefusalKind, type RefusalReason, Unreadable } from './refusal.ts'

/** An answer as it goes over the wire. */
export type RenderedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

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
  if (error instanceof OAuthRefusal) {
    return renderOAuthRefusal(error)
  }
  return envelope(500, { svcRequestId, message: 'Something went wrong on our side. Quote svcRequestId to support.' })
}

function renderRefusal(refusal: Refusal, svcRequestId: string): RenderedAnswer {
  const { reasonCode, message, extras } = refusal
  const { paymentId, payrollId } = extras
  const named = { ...(paymentId === undefined ? {} : { paymentId }), ...(payrollId === undefined ? {} : { payrollId }) }
  if (isFailureCode(reasonCode)) {
    return envelope(400, { failure: reasonCode, svcRequestId, message, ...named })
  }
  if (isRefusalCode(reasonCode)) {
    const { onboardingId } = extras
    const told = reasonCode === 'INACTIVE_SUBSCRIPTION' ? {} : { message }
    const also = onboardingId === undefined ? {} : { additionalInformation: { onboardingId } }
    return envelope(CODED_REFUSALS[reasonCode].status, { failure: reasonCode, svcRequestId, ...told, ...also })
  }
  return envelope(statusByKind[reasonCode], { svcRequestId, message, ...named }, headersOf(refusal))
}

function renderOAuthRefusal({ error, message }: OAuthRefusal): RenderedAnswer {
  return error === 'invalid_client'
    ? { status: 401, headers: { 'www-authenticate': 'Basic', 'cache-control': 'no-store' }, body: '{}' }
    : {
        status: 400,
        headers: { 'cache-control': 'no-store' },
        body: JSON.stringify({ error, error_description: message }),
      }
}

function headersOf({ reasonCode, extras }: Refusal): Record<string, string> {
  return {
    ...(reasonCode === 'unauthenticated' ? { 'www-authenticate': 'Bearer error="invalid_token"' } : {}),
    ...(extras.allow === undefined ? {} : { allow: extras.allow }),
    ...(extras.retryAfterSeconds === undefined ? {} : { 'retry-after': String(extras.retryAfterSeconds) }),
  }
}

function envelope(status: number, body: object, headers: Record<string, string> = {}): RenderedAnswer {
  return { status, headers, body: JSON.stringify(body) }
}

/** Whether a refusal carries a code of the contract. */
export function isFailureCode(code: RefusalReason): code is FailureCode {
  return (FAILURE_CODES as readonly string[]).includes(code)
}
