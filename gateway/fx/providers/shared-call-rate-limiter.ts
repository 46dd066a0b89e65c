/** Rate limiter that all processes share in the database, because the provider counts their calls together. */
import { setTimeout as sleep } from 'node:timers/promises'
import { wallMilliseconds } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { acquireCallPermit, findCallPermitDue, postponeCallPermits } from './call-rate-limit-store.ts'
import {
  type CallRateLimiter,
  type RateLimitShare,
  rateLimitedError,
  rateLimitSharesOf,
  shareDuesAtPause,
} from './call-rate-limiter.ts'

/** For one provider. If the second of two limits rejects a call, the permit of the first one stays used. */
export function openSharedCallRateLimiter(
  database: Queryable,
  provider: string,
  {
    now = wallMilliseconds,
    wait = sleep,
  }: { readonly now?: () => number; readonly wait?: (milliseconds: number) => Promise<unknown> } = {},
): CallRateLimiter {
  const withProviderPrefix = <Named extends { readonly name: string }>(share: Named) => ({
    ...share,
    name: `${provider}/${share.name}`,
  })
  return {
    acquire: async (limits, urgency) => {
      let waits = 0
      for (const limit of limits) {
        waits = Math.max(
          waits,
          await waitFor(database, rateLimitSharesOf(limit, urgency).map(withProviderPrefix), now()),
        )
      }
      // No database connection is held while waiting.
      if (waits > 0) {
        await wait(waits)
      }
    },
    pause: async (limits, seconds) => {
      const until = now() + seconds * 1000
      for (const { name, due } of limits.flatMap((limit) => shareDuesAtPause(limit, until)).map(withProviderPrefix)) {
        await postponeCallPermits(database, name, due)
      }
    },
  }
}

/** Acquires the first permit with a short enough wait, and returns the wait. Throws `rate-limited` if there is none. */
async function waitFor(database: Queryable, shares: readonly RateLimitShare[], now: number): Promise<number> {
  const waits: number[] = []
  for (const share of shares) {
    const due = await acquireCallPermit(database, { ...share, now })
    if (due !== undefined) {
      return due - share.interval - share.leeway - now
    }
    waits.push(((await findCallPermitDue(database, share.name)) ?? now) - share.leeway - now)
  }
  throw rateLimitedError(Math.min(...waits))
}
