/** Translates errors of Fastify (invalid JSON, wrong media type, oversized body) into API errors. */
import type { ApiErrorKind } from './api-error.ts'
import { ApiError, apiError, InvalidRequestError, MalformedRequestError, OAuthError } from './api-error.ts'

const apiErrorByCode: Readonly<Record<string, readonly [Exclude<ApiErrorKind, 'outcome-unknown'>, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media-type', 'Send the body as application/json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad-request', 'The length of the body differs from Content-Length'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too-large', 'The body is larger than this operation accepts'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['unreadable', 'The body is not valid JSON'],
  FST_ERR_BAD_URL: ['not-found', 'This path does not exist: it cannot be decoded'],
  FST_ERR_ASYNC_CONSTRAINT: ['not-found', 'This path does not exist: it cannot be decoded'],
  FST_ERR_MAX_PARAM_LENGTH: ['not-found', 'This path does not exist: one of its segments is longer than any id'],
}

/** The API error, or the error itself when it is not a rejection by Fastify. */
export function asApiError(error: unknown): unknown {
  if (
    error instanceof ApiError ||
    error instanceof InvalidRequestError ||
    error instanceof OAuthError ||
    error instanceof MalformedRequestError ||
    !(error instanceof Error)
  ) {
    return error
  }
  const { code = '', statusCode } = error as Error & { code?: string; statusCode?: number }
  const [kind, message] = apiErrorByCode[code] ?? []
  if (kind !== undefined && message !== undefined) {
    return apiError(kind, message)
  }
  const isRequestsFault = statusCode !== undefined && statusCode >= 400 && statusCode < 500
  return isRequestsFault ? apiError('bad-request', 'The request cannot be parsed') : error
}
