/** Translates errors of Fastify and of the database into API errors, and logs those that are ours. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '../../database/database-unavailable.ts'
import type { Log } from '../../observability/log.ts'
import { type ApiError, type ApiErrorKind, apiError } from './api-error.ts'
import { retryHeaderOf, statusOf } from './render-error.ts'

const apiErrorByCode: Readonly<Record<string, readonly [Exclude<ApiErrorKind, 'outcome-unknown'>, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media-type', 'Send the body as application/json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad-request', 'The length of the body differs from Content-Length'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too-large', 'The body is larger than this operation accepts'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['unreadable', 'The body is not valid JSON'],
  FST_ERR_BAD_URL: ['not-found', 'This path does not exist: it cannot be decoded'],
  FST_ERR_ASYNC_CONSTRAINT: ['not-found', 'This path does not exist: it cannot be decoded'],
  FST_ERR_MAX_PARAM_LENGTH: ['not-found', 'This path does not exist: one of its segments is longer than any id'],
}

/** Most interruptions are shorter, and a caller that comes too early gets another 503. */
const DATABASE_RETRY_AFTER_SECONDS = 5

/** The error for a request that the database could not serve; operations that called a bank name the order instead. */
export function databaseUnavailableError(): ApiError {
  const message = 'This service cannot reach its database at present. Send the request again after Retry-After'
  return apiError('unavailable', message, { retryAfterSeconds: DATABASE_RETRY_AFTER_SECONDS })
}

/**
 * The API error, or the error itself when it is neither a rejection by Fastify nor a database that is away: those of ours
 * have none of Fastify's codes, and no status code.
 */
export function asApiError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) {
    return databaseUnavailableError()
  }
  if (!(error instanceof Error)) {
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

/** What failed; `error` is the one that was thrown, not what the caller reads. */
type FailedRequest = { readonly requestId: string; readonly error: unknown } & Readonly<Record<string, unknown>>

/** Operators look for faults by level: that the database is away is none, and has an alert of its own. */
export function logServerError(log: Pick<Log, 'warn' | 'error'>, failed: FailedRequest, message: string): void {
  if (failed.error instanceof DatabaseUnavailable) {
    log.warn(failed, 'a request failed because the database is not available')
  } else {
    log.error(failed, message)
  }
}

/** Begins the page that a browser gets for an error, which is logged where it is ours. Returns the status of the page. */
export function beginErrorPage(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): number {
  const shown = asApiError(error)
  const status = statusOf(shown)
  if (status >= 500) {
    const errorKind = error instanceof Error && 'kind' in error ? error.kind : undefined
    const failed = { requestId: request.id, route: request.routeOptions.url, errorKind, error }
    logServerError(log, failed, 'a page could not be rendered')
  }
  reply.headers(retryHeaderOf(shown))
  return status
}
