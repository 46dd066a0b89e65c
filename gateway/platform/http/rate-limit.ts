/** Limits how often a client may call: one fixed window per key, reported in `RateLimit-*` and `Retry-After` headers. */
import rateLimitPlugin, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { wallMilliseconds } from '../clock.ts'
import { setMostRecent } from '../keyed-counts.ts'
import { apiError } from './errors/api-error.ts'

/** At most so many requests in so many seconds. */
export type RateRule = { readonly name: string; readonly max: number; readonly windowSeconds: number }

/** Counts a request under a key, at most once per request; throws `too-many-requests` when the window is used up. */
export type LimitRate = (request: FastifyRequest, reply: FastifyReply, key: string) => Promise<void>

/** Clients that are stored at a time; the least recent are evicted. */
const KEYS_MAX = 20_000

type Window = { count: number; readonly endsAt: number }

/**
 * Counts requests in fixed windows, in memory. Each result is a copy: the plugin's own store shares one object, so that
 * concurrent requests would read each other's counts.
 */
class WindowStore implements FastifyRateLimitStore {
  readonly #windows = new Map<string, Window>()

  incr(key: string, callback: Parameters<FastifyRateLimitStore['incr']>[1], windowMilliseconds: number): void {
    const now = wallMilliseconds()
    const last = this.#windows.get(key)
    const window = last !== undefined && last.endsAt > now ? last : { count: 0, endsAt: now + windowMilliseconds }
    window.count += 1
    setMostRecent(this.#windows, [key, window], KEYS_MAX)
    callback(null, { current: window.count, ttl: window.endsAt - now })
  }

  child(): FastifyRateLimitStore {
    return new WindowStore()
  }
}

/** Prepares a server for rate limits. */
export async function registerRateLimits(server: FastifyInstance): Promise<void> {
  await server.register(rateLimitPlugin, { global: false, store: WindowStore })
}

export function openRateLimit(server: FastifyInstance, rule: RateRule): LimitRate {
  const keys = new WeakMap<FastifyRequest, string>()
  const count = server.createRateLimit({
    max: rule.max,
    timeWindow: rule.windowSeconds * 1000,
    keyGenerator: (request) => keys.get(request) ?? '',
  })
  return async (request, reply, key) => {
    const counter = `${rule.name} ${key}`
    if (keys.get(request) === counter) {
      return
    }
    keys.set(request, counter)
    const counted = await count(request)
    if (counted.isAllowed) {
      return
    }
    reply.headers({
      'ratelimit-limit': String(counted.max),
      'ratelimit-remaining': String(counted.remaining),
      'ratelimit-reset': String(counted.ttlInSeconds),
    })
    if (counted.isExceeded) {
      const message = `At most ${rule.max} such requests in ${rule.windowSeconds} s; retry in ${counted.ttlInSeconds} s`
      throw apiError('too-many-requests', message, { retryAfterSeconds: Math.max(1, counted.ttlInSeconds) })
    }
  }
}

/** How long to wait, null where the header is absent, unreadable or a date that has passed; and what is wrong with it. */
type RetryAfter = {
  readonly seconds: number | null
  readonly fault: 'unreadable' | 'longer than a day' | null
}

/** Longer waits are cut: what they are about would be forgotten, and few senders mean them. */
const RETRY_AFTER_SECONDS_MAX = 86_400

/** Headers that occur several times are joined. Some senders add a fraction. */
const SECONDS = /^\d+(?:\.\d+)?(?:\s*,\s*\d+(?:\.\d+)?)*$/
/** The three forms of an HTTP date: that of today, and the two obsolete ones; the last has no zone, and is in UTC. */
const DATE =
  /^(?:\w{3}, \d{1,2} \w{3} \d{4} [\d:]{8} (?:GMT|UTC|[+-]\d{4})|\w{6,9}, \d{1,2}-\w{3}-\d{2} [\d:]{8} GMT|\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})$/
const HAS_ZONE = /(?:GMT|UTC|[+-]\d{4})$/

/** The response's own `Date` is the present for its dates: clocks differ. */
export function readRetryAfter(headers: Readonly<Record<string, string>>): RetryAfter {
  const text = headers['retry-after']?.trim() ?? ''
  if (text === '') {
    return { seconds: null, fault: null }
  }
  const isDate = !SECONDS.test(text)
  const seconds = isDate ? secondsUntil(text, headers['date']) : Math.max(...text.split(',').map(Number))
  if (Number.isNaN(seconds)) {
    return { seconds: null, fault: 'unreadable' }
  }
  if (isDate && seconds <= 0) {
    return { seconds: null, fault: null }
  }
  return seconds > RETRY_AFTER_SECONDS_MAX
    ? { seconds: RETRY_AFTER_SECONDS_MAX, fault: 'longer than a day' }
    : { seconds: Math.ceil(seconds), fault: null }
}

function secondsUntil(text: string, date: string | undefined): number {
  const present = millisecondsOf(date ?? '')
  return (millisecondsOf(text) - (Number.isNaN(present) ? wallMilliseconds() : present)) / 1_000
}

function millisecondsOf(text: string): number {
  return DATE.test(text) ? Date.parse(HAS_ZONE.test(text) ? text : `${text} GMT`) : Number.NaN
}
