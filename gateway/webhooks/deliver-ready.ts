/** Takes what is ready to be delivered and delivers it side by side, what is about one payment in its order. */
import { setImmediate, setTimeout } from 'node:timers/promises'
import { keepAtLength } from '../foundation/keep-at-length.ts'
import { steadyMilliseconds } from '../platform/clock.ts'
import { countUnderWay, type UnderWay } from '../platform/in-flight-counter.ts'
import { openTurns, type Turns } from './deliveries/concurrency-limiter.ts'
import { keepAttempts } from './deliveries/delivery-attempt-store.ts'
import { type CountedLoad, countLoad } from './deliveries/delivery-load.ts'
import { type Lane, laneName, type WaitingDelivery } from './deliveries/delivery-queue-store.ts'
import type { Attempt } from './deliveries/dispatch/webhook-dispatcher.ts'
import { CONNECTIONS_PER_ORIGIN_MAX } from './dispatch-pools.ts'
import { fairShares } from './fair-shares.ts'
import { type HeldLanes, openHeldLanes } from './held-lanes.ts'
import { openLaneTour } from './lane-tour.ts'
import { type AttemptMade, type Attempts, openAttempts } from './make-attempt.ts'
import type { WebhookContext } from './webhook-context.ts'

/** Deliveries at work in this process. */
export type Deliveries = {
  /** Takes up to `limit` and begins them; each promise settles when its outcome is kept, or when it was left. */
  begin(limit: number): Promise<readonly Promise<unknown>[]>
  /** How many are under way. */
  count(): number
  /** Settles when none is under way. */
  ended(): Promise<void>
  /** Begins no more attempts: what waits for its turn is left, and so are lanes in which nothing is under way. */
  stop(): Promise<void>
  /** Leaves to other workers whatever this one is not about. */
  leaveToOthers(): Promise<void>
}

/**
 * Attempts that are under way beyond this many only open more connections, whose handshakes cost more than they bring.
 * An origin has some of its own for all that, so that the slow ones leave enough to the quick.
 */
export const ATTEMPTS = 192
const ATTEMPTS_PER_ORIGIN = 4

/** With so many in hand, lanes that have more are asked without a round through all; what is new is found a little later. */
const MANY_IN_HAND = 128
const ROUND_EVERY_WHEN_MANY_MILLISECONDS = 100

/** Several times before a lane would be another's. */
const HOLD_ON_EVERY_MILLISECONDS = 1_000
/** What cannot be kept now was delivered for all that, maybe: nothing newer overtakes it meanwhile, and nobody repeats it. */
const NOT_KEPT_PAUSE_MILLISECONDS = 30_000

type Work = {
  readonly context: WebhookContext
  readonly attempts: Attempts
  readonly load: CountedLoad
  readonly turns: Turns
  readonly lanes: HeldLanes
  readonly stopping: AbortController
  readonly underWay: UnderWay
  readonly holdingOn: { timer: NodeJS.Timeout | undefined }
  /** The newest delivery under way of each subscription and subject, which comes behind the one before. */
  readonly newest: Map<string, { readonly delivery: WaitingDelivery; readonly ended: Promise<Ending> }>
}

/** What is left stays in front of its successors, which are left, too. */
type Ending = 'made' | 'left'

export function openDeliveries(context: WebhookContext): Deliveries {
  const { database } = context
  const tour = openLaneTour(database)
  const lanes = openHeldLanes(database)
  const turns = openTurns({ most: CONNECTIONS_PER_ORIGIN_MAX, least: ATTEMPTS_PER_ORIGIN, together: ATTEMPTS })
  const underWay = countUnderWay()
  // Nobody waits for these, and what was delivered is not to be delivered again for a moment without a database.
  const attempts = openAttempts(context, (...kept) => keepAtLength(context.log, () => keepAttempts(...kept)))
  const stopping = new AbortController()
  const [holdingOn, newest] = [{ timer: undefined }, new Map()]
  const work: Work = { context, attempts, load: countLoad(), turns, lanes, stopping, underWay, holdingOn, newest }
  let toured = Number.NEGATIVE_INFINITY
  const lanesWithWork = async (): Promise<readonly Lane[]> => {
    const now = steadyMilliseconds()
    const mayWait = underWay.count() >= MANY_IN_HAND && now - toured < ROUND_EVERY_WHEN_MANY_MILLISECONDS
    const known = mayWait ? lanes.withMore() : []
    if (known.length > 0) {
      return known
    }
    toured = now
    return (await tour.look()).filter(lanes.isWorthAsking)
  }
  return {
    begin: async (limit) => {
      const found = await lanesWithWork()
      const shares = fairShares(found, work.load, limit)
      const begun = (await lanes.takeFrom(shares)).map((delivery) => begin(work, delivery))
      await leave(work, withoutShare(found, shares))
      return begun
    },
    stop: async () => {
      turns.close()
      stopping.abort()
      // Whatever waited for its turn has been put down by then.
      await setImmediate()
      await leave(work)
    },
    count: underWay.count,
    ended: underWay.none,
    leaveToOthers: () => leave(work),
  }
}

async function leave({ context, lanes }: Work, idle?: readonly Lane[]): Promise<void> {
  await lanes
    .leaveIdle(idle)
    .catch((error) => context.log.error({ error }, 'lanes of webhooks could not be left to others'))
}

/** Something waits in these, and there is no place for it here: another worker may have one. */
function withoutShare(found: readonly Lane[], shares: readonly Lane[]): readonly Lane[] {
  const shared = new Set(shares.map(laneName))
  return found.filter((lane) => !shared.has(laneName(lane)))
}

/** What is about one subject of a subscription is one line. */
function begin(work: Work, delivery: WaitingDelivery): Promise<Ending> {
  const line = `${delivery.subscriptionId} ${delivery.subjectId ?? delivery.id}`
  const ended = deliver(work, delivery, line)
  work.newest.set(line, { delivery, ended })
  return ended
}

/**
 * Never rejects: what cannot be kept is taken again. One function for the whole way of a delivery, because hundreds are
 * under way: whatever waits for another keeps memory for as long as endpoints take, thousands of times a second.
 */
async function deliver(work: Work, delivery: WaitingDelivery, line: string): Promise<Ending> {
  const { attempts, context, lanes, load, newest, stopping, turns } = work
  const before = newest.get(line)?.ended
  load.take(delivery)
  beginHoldingOn(work)
  let attempt: Attempt | undefined
  try {
    const endTurn = (await before) === 'left' ? undefined : await turns.take(delivery.origin)
    let made: AttemptMade | undefined
    try {
      // Another worker may have made it by now.
      made = endTurn !== undefined && lanes.isToMake(delivery) ? await attempts.post(delivery) : undefined
    } finally {
      endTurn?.()
    }
    if (made !== undefined) {
      await attempts.keep(delivery, made)
      attempt = made.attempt
    }
  } catch (error) {
    context.log.error({ delivery: delivery.id, error }, 'what became of a delivery could not be kept')
    await setTimeout(NOT_KEPT_PAUSE_MILLISECONDS, undefined, { signal: stopping.signal }).catch(() => undefined)
  }
  const ending = attempt === undefined ? 'left' : 'made'
  load.leave(delivery, attempt)
  lanes.putDown(delivery, ending)
  endHoldingOn(work)
  if (newest.get(line)?.delivery === delivery) {
    newest.delete(line)
  }
  if (stopping.signal.aborted) {
    // Another delivery may go on for seconds; nobody has to wait for that with this lane.
    await leave(work, [delivery])
  }
  return ending
}

/** The first of what is under way begins to hold on to all lanes; the last one ends that. */
function beginHoldingOn({ context, lanes, underWay, holdingOn }: Work): void {
  underWay.begin()
  holdingOn.timer ??= setInterval(() => {
    lanes.renew().catch((error) => context.log.error({ error }, 'lanes of webhooks could not be held on to'))
  }, HOLD_ON_EVERY_MILLISECONDS)
}

function endHoldingOn({ underWay, holdingOn }: Work): void {
  underWay.end()
  if (underWay.count() === 0) {
    clearInterval(holdingOn.timer)
    holdingOn.timer = undefined
  }
}
