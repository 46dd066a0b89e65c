/** A rate limiter in memory, for tests without a database; the one that processes share must limit exactly like it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMilliseconds } from '../../platform/clock.ts'
import {
  type CallRateLimiter,
  type Due,
  type RateLimitShare,
  rateLimitedError,
  rateLimitSharesOf,
  shareDuesAtPause,
} from '../providers/call-rate-limiter.ts'

export function openLocalCallRateLimiter({
  now = monotonicMilliseconds,
  wait = sleep,
}: {
  readonly now?: () => number
  readonly wait?: (milliseconds: number) => Promise<unknown>
} = {}): CallRateLimiter {
  const dueByName = new Map<string, Due>()
  return {
    acquire: async (limits, urgency) => {
      const at = now()
      const permits = limits.map((limit) => callPermitOf(rateLimitSharesOf(limit, urgency), dueByName, at))
      for (const { name, due } of permits) {
        dueByName.set(name, due)
      }
      const waits = Math.max(0, ...permits.map((permit) => permit.waits))
      if (waits > 0) {
        await wait(waits)
      }
    },
    pause: async (limits, seconds) => {
      const until = now() + seconds * 1000
      for (const { name, due } of limits.flatMap((limit) => shareDuesAtPause(limit, until))) {
        dueByName.set(name, Math.max(dueByName.get(name) ?? 0, due))
      }
    },
  }
}

/**
 * The first permit with a short enough wait, and the new due time of its share; throws `rate-limited` without one.
 * This is the generic cell rate algorithm of ATM networks.
 */
function callPermitOf(
  shares: readonly RateLimitShare[],
  dueByName: ReadonlyMap<string, Due>,
  now: number,
): { readonly name: string; readonly due: Due; readonly waits: number } {
  const waitsOf = (share: RateLimitShare) => Math.max(0, (dueByName.get(share.name) ?? now) - share.leeway - now)
  const share = shares.find((each) => waitsOf(each) <= each.waitMax)
  if (share === undefined) {
    throw rateLimitedError(Math.min(...shares.map(waitsOf)))
  }
  const { name, interval } = share
  const waits = waitsOf(share)
  return { name, waits, due: Math.max(dueByName.get(name) ?? now, now + waits) + interval }
}
