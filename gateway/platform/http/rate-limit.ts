/** Limits how often a client may call: one fixed window per key, reported in `RateLimit-*` and `Retry-After` headers. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { wallMilliseconds } from '../clock.ts'
import { setMostRecent } from '../collections.ts'
import { apiError } from './errors/api-error.ts'

/** At most so many requests in so many seconds. */
export type RateRule = { readonly max: number; readonly windowSeconds: number }

/** Counts a request under a key, at most once per request; throws `too-many-requests` when the window is used up. */
export type LimitRate = (request: FastifyRequest, reply: FastifyReply, key: string) => void

/** Clients that are stored at a time; the least recent are evicted. */
const KEYS_MAX = 20_000

export function openRateLimit({ max, windowSeconds }: RateRule): LimitRate {
  const windows = new Map<string, { count: number; readonly endsAt: number }>()
  const keys = new WeakMap<FastifyRequest, string>()
  return (request, reply, key) => {
    if (keys.get(request) === key) {
      return
    }
    keys.set(request, key)
    const now = wallMilliseconds()
    const last = windows.get(key)
    const endsAt = now + windowSeconds * 1_000
    // A window that ends later than a new one began before the clock of the machine was put back.
    const window = last !== undefined && last.endsAt > now && last.endsAt <= endsAt ? last : { count: 0, endsAt }
    window.count += 1
    setMostRecent(windows, [key, window], KEYS_MAX)
    const secondsLeft = Math.ceil((window.endsAt - now) / 1_000)
    reply.headers({
      'ratelimit-limit': String(max),
      'ratelimit-remaining': String(Math.max(0, max - window.count)),
      'ratelimit-reset': String(secondsLeft),
    })
    if (window.count > max) {
      const message = `At most ${max} such requests in ${windowSeconds} s; retry in ${secondsLeft} s`
      throw apiError('too-many-requests', message, { retryAfterSeconds: Math.max(1, secondsLeft) })
    }
  }
}
