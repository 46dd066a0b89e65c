/** A budget of calls that all our processes keep together: the provider counts them as one. */
import { setTimeout as pass } from 'node:timers/promises'
import { wallMilliseconds } from '../foundation/clock.ts'
import type { Queryable } from '../foundation/database/atomically.ts'
import { putOffTurns, takeTurn, turnsDue } from './call-budget-store.ts'
import { type CallBudget, paceOf, refusalOfBudget, waitMaxOf } from './provider/call-budget.ts'

/** Opens it for one provider. Of a call with two limits that the second turns away, the first keeps the turn. */
export function openSharedBudget(
  database: Queryable,
  provider: string,
  {
    now = wallMilliseconds,
    wait = pass,
  }: { readonly now?: () => number; readonly wait?: (milliseconds: number) => Promise<unknown> } = {},
): CallBudget {
  const keptUnder = (name: string) => `${provider}/${name}`
  return {
    take: async (limits, urgency) => {
      let waits = 0
      for (const limit of limits) {
        const at = now()
        const name = keptUnder(limit.name)
        const { interval, leeway } = paceOf(limit, urgency)
        const due = await takeTurn(database, { name, now: at, interval, leeway, waitMax: waitMaxOf(urgency) })
        if (due === undefined) {
          throw refusalOfBudget(((await turnsDue(database, name)) ?? at) - leeway - at)
        }
        waits = Math.max(waits, due - interval - leeway - at)
      }
      // No connection to the database is held meanwhile.
      if (waits > 0) {
        await wait(waits)
      }
    },
    pause: async (limits, seconds) => {
      for (const limit of limits) {
        const { leeway } = paceOf(limit, 'urgent')
        await putOffTurns(database, keptUnder(limit.name), now() + seconds * 1000 + leeway)
      }
    },
  }
}
