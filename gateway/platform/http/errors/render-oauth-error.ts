/** Renders any error of the token endpoint in the form of RFC 6749, 5.2. */
import { isCodedErrorCode } from '../../../../contract/errors/coded-errors.ts'
import type { TokenErrorCode } from '../../../../contract/errors/oauth-errors.ts'
import { ApiError, OAuthError, type ValidationError } from './api-error.ts'
import { basicChallengeOf, quotable } from './authentication-challenge.ts'
import { detailsOf, docsUrlOf, type ErrorContext } from './error-details.ts'
import { isFailureCode, type RenderedAnswer, retryHeaderOf, statusOf } from './render-error.ts'

type TokenRejection = {
  readonly code: TokenErrorCode
  readonly message: string
  readonly validationErrors?: readonly ValidationError[]
}

/** Tokens and the reasons for which none was issued must not be cached (RFC 6749, 5.1). */
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }

export function renderOAuthErrorResponse(error: unknown, context: ErrorContext): RenderedAnswer {
  if (error instanceof OAuthError) {
    const { error: code, message, validationErrors } = error
    const status = code === 'invalid_client' ? 401 : 400
    return rendered(context, status, { code, message, validationErrors })
  }
  if (!(error instanceof ApiError) || isFailureCode(error.reasonCode) || isCodedErrorCode(error.reasonCode)) {
    return rendered(context, 500, { code: 'server_error', message: 'Internal error. Quote svcRequestId to support.' })
  }
  const status = statusOf(error)
  const code = status === 429 || status === 503 ? 'temporarily_unavailable' : 'invalid_request'
  const { headers, ...answer } = rendered(context, status, { code, message: error.message })
  return { ...answer, headers: { ...headers, ...retryHeaderOf(error) } }
}

function rendered(context: ErrorContext, status: number, rejection: TokenRejection): RenderedAnswer {
  const { code, message } = rejection
  const error = { error: code, error_description: quotable(message), error_uri: docsUrlOf(context, code) }
  const { svcRequestId } = context
  const body = { ...error, svcRequestId, message, code, errors: detailsOf(context, code, rejection) }
  const challenge = status === 401 ? { 'www-authenticate': basicChallengeOf(error) } : {}
  return { status, headers: { ...NO_STORE, ...challenge }, body: JSON.stringify(body) }
}
