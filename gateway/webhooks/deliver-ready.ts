/** Claims what is ready to be delivered and delivers it side by side, what is about one payment in its order. */
import { steadyMilliseconds } from '../foundation/clock.ts'
import { coalesce } from '../foundation/database/coalesce.ts'
import { claimDeliveries, giveBackDeliveries, type LeasedDelivery } from './claim-store.ts'
import { type CountedLoad, countLoad } from './delivery-load.ts'
import type { Attempt } from './dispatch.ts'
import { CONNECTIONS_PER_ORIGIN_MAX } from './dispatch-pools.ts'
import { fairShares } from './fair-shares.ts'
import { openLaneTour } from './lane-tour.ts'
import { type Attempts, openAttempts } from './make-attempt.ts'
import { openTurns, type Turns } from './turns.ts'
import type { WebhookContext } from './webhook-context.ts'

/** Deliveries at work in this process. */
export type Deliveries = {
  /** Claims up to `limit` and begins them; each promise settles when its outcome is kept, or when it was given back. */
  begin(limit: number): Promise<readonly Promise<void>[]>
  /** Begins no more attempts: what is claimed and waits for its turn is left to other workers at once. */
  giveBack(): void
}

/** What has not had its turn by then leaves enough of the lease to nobody: it is left to whoever claims it next. */
const TURN_WITHIN_MILLISECONDS = 15_000

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
  readonly turns: Turns
  readonly giveBack: (delivery: LeasedDelivery) => Promise<boolean>
  /** The newest delivery under way of each subscription and subject. */
  readonly newest: Map<string, Promise<Ending>>
}

/** What is left stays in front of its successors, which are left, too. */
type Ending = 'made' | 'left'

export function openDeliveries(context: WebhookContext): Deliveries {
  const { database } = context
  const tour = openLaneTour(database)
  const turns = openTurns({ most: CONNECTIONS_PER_ORIGIN_MAX, least: ATTEMPTS_PER_ORIGIN, together: ATTEMPTS })
  const giveBack = coalesce<LeasedDelivery, boolean>({
    keyOf: ({ id }) => id,
    run: (deliveries) => giveBackDeliveries(database, deliveries),
  })
  const work = { context, attempts: openAttempts(context), load: countLoad(), turns, giveBack, newest: new Map() }
  return {
    begin: async (limit) => {
      const shares = fairShares(await tour.look(), work.load, limit)
      if (shares.length === 0) {
        return []
      }
      const turnUntil = steadyMilliseconds() + TURN_WITHIN_MILLISECONDS
      return (await claimDeliveries(database, shares)).map((delivery) => deliver(work, delivery, turnUntil))
    },
    giveBack: turns.close,
  }
}

/** Never rejects: what cannot be kept is claimed again when its lease is over. */
async function deliver(work: Work, delivery: LeasedDelivery, turnUntil: number): Promise<void> {
  const { newest, load } = work
  load.take(delivery)
  const line = `${delivery.subscriptionId} ${delivery.subjectId ?? delivery.id}`
  const done = inOrder(work, delivery, { before: newest.get(line), turnUntil })
  newest.set(line, done)
  await done
  if (newest.get(line) === done) {
    newest.delete(line)
  }
}

async function inOrder(
  work: Work,
  delivery: LeasedDelivery,
  { before, turnUntil }: { readonly before: Promise<Ending> | undefined; readonly turnUntil: number },
): Promise<Ending> {
  const { context, load, giveBack } = work
  let attempt: Attempt | undefined
  try {
    attempt = (await before) === 'left' ? undefined : await attemptInTurn(work, delivery, turnUntil)
    if (attempt === undefined) {
      await giveBack(delivery)
    }
    return attempt === undefined ? 'left' : 'made'
  } catch (error) {
    context.log.error({ delivery: delivery.id, error }, 'what became of a delivery could not be kept')
    return 'left'
  } finally {
    load.leave(delivery, attempt)
  }
}

/** Undefined when its turn did not come, or too late. */
async function attemptInTurn(
  { attempts, turns }: Work,
  delivery: LeasedDelivery,
  turnUntil: number,
): Promise<Attempt | undefined> {
  const endTurn = await turns.take(delivery.origin)
  if (endTurn === undefined || steadyMilliseconds() >= turnUntil) {
    endTurn?.()
    return undefined
  }
  const made = await attempts.post(delivery).finally(endTurn)
  await attempts.keep(delivery, made)
  return made.attempt
}
