/** Limits the concurrent and queued calls to each bank, with circuit breakers for its resources and for the bank. */
import { BulkheadRejectedError, bulkhead } from 'cockatiel'
import { wallMilliseconds } from '../../platform/clock.ts'
import { readRetryAfter } from '../../platform/http/response-parser.ts'
import { setMostRecent } from '../../platform/keyed-counts.ts'
import { BankCallNotMade, type LaterCalls } from '../connector/bank-error.ts'
import type { BankRequest, BankResponse } from '../connector/connector-dependencies.ts'
import { createCircuitBreaker, type EndOfCall } from './circuit-breaker.ts'

type RetryAfterGuard = {
  /** What the bank has requested of calls; undefined where it may be called now. */
  waitOf(resource: string): LaterCalls | undefined
  /** Whether the last call about it was one too many, and the bank has rejected every other one since. */
  isLimited(resource: string): boolean
  record(resource: string, response: BankResponse): void
}

const ERROR_STATUS_MIN = 400
const TOO_MANY_REQUESTS = 429
/** So many resources in a row for which calls are limited show that all calls are. */
const LIMITED_RESOURCES = 3
/** A limit of all calls is tried again after at most an hour; that of one resource holds for as long as the bank says. */
const BANK_SECONDS_MAX = 3_600
/** Remembered; the longest remembered one is forgotten first. */
const RESOURCES_MAX = 10_000

type Wait = { readonly until: number; readonly isRateLimit: boolean }

export function createRetryAfterGuard(now: () => number): RetryAfterGuard {
  const waits = new Map<string, Wait>()
  const limited = new Set<string>()
  let bankUntil = Number.NEGATIVE_INFINITY
  return {
    waitOf: (resource) => {
      const own = waits.get(resource)
      const until = Math.max(own?.until ?? bankUntil, bankUntil)
      return until > now()
        ? {
            retryAfterSeconds: Math.ceil((until - now()) / 1_000),
            isRateLimit: bankUntil > now() || own?.isRateLimit === true,
          }
        : undefined
    },
    isLimited: (resource) => limited.has(resource),
    record: (resource, { status, headers }) => {
      const isRateLimit = status === TOO_MANY_REQUESTS
      const seconds = status < ERROR_STATUS_MIN ? null : readRetryAfter(headers).seconds
      waits.delete(resource)
      if (seconds !== null && seconds > 0) {
        setMostRecent(waits, [resource, { until: now() + seconds * 1_000, isRateLimit }], RESOURCES_MAX)
      }
      if (!isRateLimit) {
        limited.clear()
        bankUntil = Number.NEGATIVE_INFINITY
      } else if (limited.add(resource).size >= LIMITED_RESOURCES) {
        bankUntil = Math.max(bankUntil, now() + Math.min(seconds ?? 0, BANK_SECONDS_MAX) * 1_000)
      }
    },
  }
}

/** Limits of calls in flight and in the queue, the queue timeout, and the consecutive failures that open a circuit. */
export type BankCallLimiterSettings = {
  readonly callsPerBankMax: number
  readonly queuePerBankMax: number
  readonly queueMilliseconds: number
  readonly failuresInRowMax: number
}

/** Executes calls. Throws `BankCallNotMade` for calls that it rejects. */
export type BankCallLimiter = {
  pass<Answer extends BankResponse>(
    bic: string,
    request: Pick<BankRequest, 'operation' | 'resource' | 'unattended'>,
    call: (failedBefore: boolean) => Promise<Answer>,
  ): Promise<Answer>
  /** Closes all circuits. */
  forget(): void
}

/** Unattended calls in flight about what failed when it was last called: each may hang until its timeout. */
const REPEATS_PER_BANK_MAX = 10
const SERVER_ERROR = 500
const REQUEST_TIMEOUT = 408

/** Creates a limiter for each bank at its first call. */
export function createBankCallLimiter(limits: BankCallLimiterSettings): BankCallLimiter {
  const limiterByBic = new Map<string, BankCallLimiter['pass']>()
  return {
    pass: async (bic, request, call) => {
      const limiter = limiterByBic.get(bic) ?? limiterForBank(limits)
      limiterByBic.set(bic, limiter)
      return await limiter(bic, request, call)
    },
    forget: () => limiterByBic.clear(),
  }
}

function limiterForBank(limits: BankCallLimiterSettings): BankCallLimiter['pass'] {
  const slots = bulkhead(limits.callsPerBankMax, limits.queuePerBankMax)
  const breaker = createCircuitBreaker(limits.failuresInRowMax, wallMilliseconds)
  const retryAfter = createRetryAfterGuard(wallMilliseconds)
  let repeats = 0
  return async (_bic, { operation, resource = operation, unattended = false }, call) => {
    const laterCalls = unattended ? retryAfter.waitOf(resource) : undefined
    if (laterCalls !== undefined) {
      throw new BankCallNotMade('The bank has requested no calls yet (Retry-After)', { laterCalls })
    }
    const isFailing = breaker.isFailing(resource)
    const isRepeat = unattended && isFailing
    // What gets no answer holds its slot for a whole timeout: the other slots are for what the bank does answer.
    if (isRepeat && repeats >= REPEATS_PER_BANK_MAX) {
      throw new BankCallNotMade('Enough calls about what the bank failed before are in flight')
    }
    const admission = breaker.admit(resource)
    if (admission === 'rejected') {
      throw new BankCallNotMade('The bank failed its recent calls; calls to it are paused for a moment')
    }
    const failedBefore = isFailing || retryAfter.isLimited(resource)
    repeats += isRepeat ? 1 : 0
    let end: EndOfCall = 'not-made'
    try {
      return await withQueueTimeout(limits, (waiting, begun) =>
        slots.execute(async () => {
          begun()
          end = 'unanswered'
          const answer = await call(failedBefore)
          retryAfter.record(resource, answer)
          end = answer.status >= SERVER_ERROR || answer.status === REQUEST_TIMEOUT ? 'server-error' : 'answered'
          return answer
        }, waiting),
      )
    } catch (error) {
      throw toBankUnreachable(error)
    } finally {
      repeats -= isRepeat ? 1 : 0
      breaker.record(resource, admission, end)
    }
  }
}

/** Rejects with `BankUnreachable` when the call has not begun before the queue timeout; it is then never begun. */
export async function withQueueTimeout<Answer>(
  { queueMilliseconds }: Pick<BankCallLimiterSettings, 'queueMilliseconds'>,
  pass: (waiting: AbortSignal, begun: () => void) => Promise<Answer>,
): Promise<Answer> {
  const waiting = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    waiting.abort()
    late.reject(new BankCallNotMade('Too many calls to the bank are in flight; the queue timeout has passed'))
  }, queueMilliseconds)
  const passed = pass(waiting.signal, () => clearTimeout(timer))
  try {
    return await Promise.race([passed, late.promise])
  } finally {
    clearTimeout(timer)
    // The queued call is aborted and rejects later, when there is no listener any more.
    passed.catch(() => undefined)
  }
}

/** Converts a rejection by the library to `BankCallNotMade`; returns other errors unchanged. */
export function toBankUnreachable(error: unknown): unknown {
  return error instanceof BulkheadRejectedError
    ? new BankCallNotMade('The queue of calls to the bank is full', { cause: error })
    : error
}
