/** Claims what is ready to be delivered and delivers it side by side, what is about one payment in its order. */
import type { ClaimedDelivery } from './delivery.ts'
import { type CountedLoad, countLoad } from './delivery-load.ts'
import { claimDeliveries, readyLanes } from './delivery-work-store.ts'
import { CONNECTIONS_PER_ORIGIN_MAX } from './dispatch-pools.ts'
import { fairShares } from './fair-shares.ts'
import { type Attempts, openAttempts } from './make-attempt.ts'
import { openTurns, type Turns } from './turns.ts'
import type { WebhookContext } from './webhook-context.ts'

/** Deliveries at work in this process. */
export type Deliveries = {
  /** Claims up to `limit` and begins them; each promise settles when its outcome is kept. */
  begin(limit: number): Promise<readonly Promise<void>[]>
}

/** Longer than waiting for a turn and an attempt may take together; whoever dies leaves its deliveries for so long. */
const LEASE_SECONDS = 30
/** What has not had its turn by then leaves enough of the lease to nobody: it is left to whoever claims it next. */
const TURN_WITHIN_SECONDS = 15

/**
 * Attempts that are under way beyond this many only open more connections, whose handshakes cost more than they bring.
 * An origin has some of its own for all that, so that the slow ones leave enough to the quick.
 */
export const ATTEMPTS = 192
const ATTEMPTS_PER_ORIGIN = 4

type Work = {
  readonly context: WebhookContext
  readonly attempts: Attempts
  readonly load: CountedLoad
  readonly turnsAt: Turns
  /** The newest delivery under way of each subscription and subject. */
  readonly newest: Map<string, Promise<void>>
}

export function openDeliveries(context: WebhookContext): Deliveries {
  const turnsAt = openTurns({ most: CONNECTIONS_PER_ORIGIN_MAX, least: ATTEMPTS_PER_ORIGIN, together: ATTEMPTS })
  const work: Work = { context, attempts: openAttempts(context), load: countLoad(), turnsAt, newest: new Map() }
  return {
    begin: async (limit) => {
      const { database, clock } = context
      const shares = fairShares(await readyLanes(database), work.load, limit)
      if (shares.length === 0) {
        return []
      }
      const real = clock.real()
      const times = { real, leaseUntil: real.add({ seconds: LEASE_SECONDS }) }
      const claimed = await claimDeliveries(database, shares, times)
      const turnUntil = real.add({ seconds: TURN_WITHIN_SECONDS })
      return claimed.map((delivery) => deliver(work, delivery, turnUntil))
    },
  }
}

/** Never rejects: what fails here for a fault of ours is claimed again when its lease is over. */
function deliver(work: Work, delivery: ClaimedDelivery, turnUntil: Temporal.Instant): Promise<void> {
  const { newest, load, context } = work
  load.take(delivery)
  const line = `${delivery.subscriptionId} ${delivery.subjectId ?? delivery.id}`
  const before = newest.get(line) ?? Promise.resolve()
  const done = before
    .then(() => deliverInTurn(work, delivery, turnUntil))
    .catch((error: unknown) => {
      load.leave(delivery)
      context.log.error({ delivery: delivery.id, error }, 'a delivery failed for a fault of ours')
    })
    .finally(() => {
      if (newest.get(line) === done) {
        newest.delete(line)
      }
    })
  newest.set(line, done)
  return done
}

async function deliverInTurn(work: Work, delivery: ClaimedDelivery, turnUntil: Temporal.Instant): Promise<void> {
  const { context, attempts, load, turnsAt } = work
  const endTurn = await turnsAt(delivery.origin)
  const isInTime = Temporal.Instant.compare(context.clock.real(), turnUntil) < 0
  const made = isInTime ? await attempts.post(delivery).finally(endTurn) : undefined
  if (made === undefined) {
    endTurn()
    load.leave(delivery)
  } else {
    await attempts.keep(delivery, made)
    load.leave(delivery, made.attempt)
  }
}
