/** The limits of calls to banks, and the limiter that applies them to each bank, with circuit breakers. */
import type { Config } from '../../config/config.ts'
import { monotonicMilliseconds } from '../../platform/clock.ts'
import { setMostRecent } from '../../platform/collections.ts'
import { readRetryAfter } from '../../platform/http/response-parser.ts'
import { BankCallNotMade, type LaterCalls } from '../connector/bank-error.ts'
import type { BankRequest, BankResponse } from '../connector/connector-dependencies.ts'
import { createCircuitBreaker, type EndOfCall } from './circuit-breaker.ts'
import type { StreamLimits } from './http-response-stream.ts'

export type BankCallLimits = StreamLimits & {
  readonly connectMilliseconds: number
  readonly headersMilliseconds: number
  readonly bodyMilliseconds: number
  readonly connectionsPerHostMax: number
  readonly streamsPerHostMax: number
  readonly callsPerBankMax: number
  readonly streamsPerBankMax: number
  readonly queuePerBankMax: number
  readonly queueMilliseconds: number
  readonly failuresInRowMax: number
}

export const BANK_CALL_LIMITS: BankCallLimits = {
  connectMilliseconds: 5_000,
  /** Banks check orders in their core system before they answer; the slowest take tens of seconds. */
  headersMilliseconds: 30_000,
  /** Between two chunks of a body. */
  bodyMilliseconds: 10_000,
  /** In total, including connecting, so that a slowly dripping answer ends too. */
  callMilliseconds: 45_000,
  /** A day of entries of a busy account is 2–3 MB. */
  responseBytesMax: 10 * 1024 * 1024,
  /** Streams are read at the partner's pace; a slower reader is taken for disconnected. */
  streamMilliseconds: 1_800_000,
  /** A year of 100 000 entries in one answer is 80 MB at most banks. */
  streamBytesMax: 512 * 1024 * 1024,
  /** Holds a page of most banks, so that a slow partner does not hold up the bank. */
  streamAheadBytes: 1024 * 1024,
  /** A data centre serves many banks on one host: enough for eight busy ones. */
  connectionsPerHostMax: 512,
  /** Streams use separate connections, so that a stream of half an hour takes none from payments. */
  streamsPerHostMax: 256,
  /** About 100 calls per second at a bank that answers in 600 ms. */
  callsPerBankMax: 64,
  /** Streams from request to end, in addition to the calls. */
  streamsPerBankMax: 32,
  /** Twice the calls in flight: a burst is queued, a flood is rejected. */
  queuePerBankMax: 128,
  queueMilliseconds: 5_000,
  /** Background jobs pause earlier than user requests (FAILURES_BEFORE_PAUSE). */
  failuresInRowMax: 10,
}

const MILLISECONDS_PER_SECOND = 1_000

/** In total: queueing, connecting and the bank's answer. */
export function callSecondsMax({ bankAnswerTimeoutSeconds }: Pick<Config, 'bankAnswerTimeoutSeconds'>): number {
  const { queueMilliseconds, connectMilliseconds } = BANK_CALL_LIMITS
  return bankAnswerTimeoutSeconds + Math.ceil((queueMilliseconds + connectMilliseconds) / MILLISECONDS_PER_SECOND)
}

/**
 * So many calls at once; so many others wait in their order, each for at most so long. The returned function acquires a
 * slot, and returns its release, which is idempotent. Throws `BankCallNotMade` where no slot becomes free.
 */
export function createSlots(
  slotsMax: number,
  { queuePerBankMax, queueMilliseconds }: Pick<BankCallLimits, 'queuePerBankMax' | 'queueMilliseconds'>,
): () => Promise<() => void> {
  const held = new Set<symbol>()
  const waiting = new Set<() => void>()
  return async () => {
    if (held.size + waiting.size >= slotsMax + queuePerBankMax) {
      throw new BankCallNotMade('The queue of calls to the bank is full')
    }
    const slot = Symbol()
    if (held.size < slotsMax) {
      held.add(slot)
    } else {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const begin = () => {
        waiting.delete(begin)
        held.add(slot)
        resolve()
      }
      waiting.add(begin)
      const timer = setTimeout(() => {
        waiting.delete(begin)
        reject(new BankCallNotMade('Too many calls to the bank are in flight; the queue timeout has passed'))
      }, queueMilliseconds)
      await promise.finally(() => clearTimeout(timer))
    }
    return () => {
      const [next] = held.delete(slot) ? waiting : []
      next?.()
    }
  }
}

type RetryAfterGuard = {
  /** What the bank has requested of calls; undefined where it may be called now. */
  waitOf(resource: string): LaterCalls | undefined
  /** The resources about which the last call was one too many; empty once the bank answers one of its calls. */
  readonly limited: ReadonlySet<string>
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
    limited,
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
export type BankCallLimiterSettings = Pick<
  BankCallLimits,
  'callsPerBankMax' | 'queuePerBankMax' | 'queueMilliseconds' | 'failuresInRowMax'
>

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
    pass: (bic, request, call) =>
      limiterByBic.getOrInsertComputed(bic, () => limiterForBank(limits))(bic, request, call),
    forget: () => limiterByBic.clear(),
  }
}

function limiterForBank(limits: BankCallLimiterSettings): BankCallLimiter['pass'] {
  const acquire = createSlots(limits.callsPerBankMax, limits)
  const breaker = createCircuitBreaker(limits.failuresInRowMax, monotonicMilliseconds)
  const retryAfter = createRetryAfterGuard(monotonicMilliseconds)
  let repeats = 0
  return async (_bic, { operation, resource = operation, unattended = false }, call) => {
    const laterCalls = unattended ? retryAfter.waitOf(resource) : undefined
    if (laterCalls !== undefined) {
      throw new BankCallNotMade('The bank has requested no calls yet (Retry-After)', { laterCalls })
    }
    const isFailing = breaker.failing.has(resource)
    const isRepeat = unattended && isFailing
    // What gets no answer holds its slot for a whole timeout: the other slots are for what the bank does answer.
    if (isRepeat && repeats >= REPEATS_PER_BANK_MAX) {
      throw new BankCallNotMade('Enough calls about what the bank failed before are in flight')
    }
    const admission = breaker.admit(resource)
    if (admission === 'rejected') {
      throw new BankCallNotMade('The bank failed its recent calls; calls to it are paused for a moment')
    }
    const failedBefore = isFailing || retryAfter.limited.has(resource)
    repeats += isRepeat ? 1 : 0
    let end: EndOfCall = 'not-made'
    let release: (() => void) | undefined
    try {
      release = await acquire()
      end = 'unanswered'
      const answer = await call(failedBefore)
      retryAfter.record(resource, answer)
      end = answer.status >= SERVER_ERROR || answer.status === REQUEST_TIMEOUT ? 'server-error' : 'answered'
      return answer
    } finally {
      release?.()
      repeats -= isRepeat ? 1 : 0
      breaker.record(resource, admission, end)
    }
  }
}
