/** A budget of calls that all our processes keep together: the provider counts them as one. */
import { setTimeout as pass } from 'node:timers/promises'
import { wallMilliseconds } from '../platform/clock.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { putOffTurns, takeTurn, turnsDue } from './providers/call-rate-limit-store.ts'
import { type CallBudget, pausedUntil, refusalOfBudget, type Share, sharesFor } from './providers/call-rate-limiter.ts'

/** Opens it for one provider. Of a call with two limits that the second turns away, the first keeps the turn. */
export function openSharedBudget(
  database: Queryable,
  provider: string,
  {
    now = wallMilliseconds,
    wait = pass,
  }: { readonly now?: () => number; readonly wait?: (milliseconds: number) => Promise<unknown> } = {},
): CallBudget {
  const keptUnder = <Kept extends { readonly name: string }>(kept: Kept) => ({
    ...kept,
    name: `${provider}/${kept.name}`,
  })
  return {
    take: async (limits, urgency) => {
      let waits = 0
      for (const limit of limits) {
        waits = Math.max(waits, await waitFor(database, sharesFor(limit, urgency).map(keptUnder), now()))
      }
      // No connection to the database is held meanwhile.
      if (waits > 0) {
        await wait(waits)
      }
    },
    pause: async (limits, seconds) => {
      const until = now() + seconds * 1000
      for (const { name, due } of limits.flatMap((limit) => pausedUntil(limit, until)).map(keptUnder)) {
        await putOffTurns(database, name, due)
      }
    },
  }
}

/** Takes the first turn that comes soon enough: how long to wait for it. Refuses when none does. */
async function waitFor(database: Queryable, shares: readonly Share[], now: number): Promise<number> {
  const waits: number[] = []
  for (const share of shares) {
    const due = await takeTurn(database, { ...share, now })
    if (due !== undefined) {
      return due - share.interval - share.leeway - now
    }
    waits.push(((await turnsDue(database, share.name)) ?? now) - share.leeway - now)
  }
  throw refusalOfBudget(Math.min(...waits))
}
