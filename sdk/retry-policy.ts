/** Decides whether a failed attempt is repeated, and after how long. */
import { HavnConnectionError, HavnError, HavnUnknownOutcomeError } from './errors/havn-error.ts'
import type { NamedOperation } from './operation-entry.ts'

/** The first delay; each further one may be twice as long. */
const FIRST_DELAY_MILLISECONDS = 500
const DELAY_MILLISECONDS_MAX = 8_000
/** What the service asks to wait longer for is for the caller to plan. */
const RETRY_AFTER_SECONDS_MAX = 60

/** The request was not executed, whatever it is. */
const TOO_MANY_REQUESTS = 429
const CONFLICT = 409
const UNAVAILABLE = 503
/** Statuses after which a read may be repeated. */
const TEMPORARY_STATUSES: readonly (number | undefined)[] = [408, 500, 502, 503, 504]
/** Those after which a request with a key may be: a 500 needs investigation instead. */
const TEMPORARY_STATUSES_WITH_KEY: readonly (number | undefined)[] = [408, 502, 503, 504]

/** What is known when an attempt has failed. */
export type FailedAttempt = {
  readonly entry: NamedOperation
  readonly error: unknown
  /** The attempts so far; 1 after the first. */
  readonly attempt: number
  readonly maxRetries: number
}

/** Whether the request for a token failed, not the call that needs it. */
export function isOfToken(entry: NamedOperation, error: unknown): boolean {
  return error instanceof HavnError && error.operation !== entry.id
}

/** Whether an attempt did nothing, so that its error is no answer to what became of an order by an earlier attempt. */
export function saysNothingOfRequest(entry: NamedOperation, error: unknown): boolean {
  if (isOfToken(entry, error)) {
    return true
  }
  const isUnanswered = error instanceof HavnError && !(error instanceof HavnUnknownOutcomeError)
  return entry.idempotent && isUnanswered && (error.status === TOO_MANY_REQUESTS || error.status === UNAVAILABLE)
}

/** The delay before the next attempt in milliseconds; undefined when there must not or need not be one. */
export function retryDelay(failed: FailedAttempt, random: () => number): number | undefined {
  const { error, attempt, maxRetries } = failed
  if (!(error instanceof HavnError) || attempt > maxRetries || !mayRepeat(failed, error)) {
    return undefined
  }
  const { retryAfterSeconds } = error
  if (retryAfterSeconds !== undefined && retryAfterSeconds > RETRY_AFTER_SECONDS_MAX) {
    return undefined
  }
  // Half is fixed and half is chance, so that clients that failed together do not return together.
  const longest = Math.min(FIRST_DELAY_MILLISECONDS * 2 ** (attempt - 1), DELAY_MILLISECONDS_MAX)
  const backoff = (longest / 2) * (1 + random())
  return Math.max(backoff, (retryAfterSeconds ?? 0) * 1_000)
}

function mayRepeat({ entry, attempt }: FailedAttempt, error: HavnError): boolean {
  const { status } = error
  if (isOfToken(entry, error)) {
    // It has been retried already.
    return false
  }
  if (status === TOO_MANY_REQUESTS) {
    return true
  }
  const isRead = entry.method === 'GET' || !entry.withToken
  if (error instanceof HavnConnectionError) {
    return isRead || entry.idempotent
  }
  if (isRead) {
    return TEMPORARY_STATUSES.includes(status)
  }
  if (!entry.idempotent) {
    return false
  }
  // The first attempt, whose response was lost, still runs under this key.
  const isInFlight = status === CONFLICT && attempt > 1
  return isInFlight || (TEMPORARY_STATUSES_WITH_KEY.includes(status) && !(error instanceof HavnUnknownOutcomeError))
}
