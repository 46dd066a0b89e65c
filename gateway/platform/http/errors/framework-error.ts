/** Translates what Fastify itself refuses (broken JSON, wrong media type, oversized body) into refusals of ours. */
import type { RefusalKind } from './api-error.ts'
import { Invalid, OAuthRefusal, Refusal, refuse, Unreadable } from './api-error.ts'

const refusalByCode: Readonly<Record<string, readonly [Exclude<RefusalKind, 'outcome-unknown'>, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media-type', 'Send the body as application/json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad-request', 'The body is not as long as Content-Length says'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too-large', 'The body is larger than this operation takes'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['unreadable', 'The body is not valid JSON'],
  FST_ERR_BAD_URL: ['not-found', 'There is nothing at this address: it cannot be decoded'],
  FST_ERR_ASYNC_CONSTRAINT: ['not-found', 'There is nothing at this address: it cannot be decoded'],
  FST_ERR_MAX_PARAM_LENGTH: ['not-found', 'There is nothing at this address: a part of it is longer than any id'],
}

/** A refusal of ours, or what was thrown when it is nothing that Fastify refuses. */
export function asRefusal(error: unknown): unknown {
  if (
    error instanceof Refusal ||
    error instanceof Invalid ||
    error instanceof OAuthRefusal ||
    error instanceof Unreadable ||
    !(error instanceof Error)
  ) {
    return error
  }
  const { code = '', statusCode } = error as Error & { code?: string; statusCode?: number }
  const [kind, message] = refusalByCode[code] ?? []
  if (kind !== undefined && message !== undefined) {
    return refuse(kind, message)
  }
  const isRequestsFault = statusCode !== undefined && statusCode >= 400 && statusCode < 500
  return isRequestsFault ? refuse('bad-request', 'The request cannot be read') : error
}
