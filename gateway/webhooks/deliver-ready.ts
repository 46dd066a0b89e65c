/** Takes what is ready to be delivered and delivers it side by side, what is about one payment in its order. */
import { setImmediate, setTimeout } from 'node:timers/promises'
import { steadyMilliseconds } from '../foundation/clock.ts'
import { keepAtLength } from '../foundation/keep-at-length.ts'
import { type CountedLoad, countLoad } from './delivery-load.ts'
import type { Attempt } from './dispatch.ts'
import { CONNECTIONS_PER_ORIGIN_MAX } from './dispatch-pools.ts'
import { fairShares } from './fair-shares.ts'
import { type HeldLanes, openHeldLanes } from './held-lanes.ts'
import { type Lane, laneName, type WaitingDelivery } from './lane-store.ts'
import { openLaneTour } from './lane-tour.ts'
import { type Attempts, openAttempts } from './make-attempt.ts'
import { openTurns, type Turns } from './turns.ts'
import type { WebhookContext } from './webhook-context.ts'

/** Deliveries at work in this process. */
export type Deliveries = {
  /** Takes up to `limit` and begins them; each promise settles when its outcome is kept, or when it was left. */
  begin(limit: number): Promise<readonly Promise<void>[]>
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
  readonly underWay: { count: number; holdingOn: NodeJS.Timeout | undefined }
  /** The newest delivery under way of each subscription and subject. */
  readonly newest: Map<string, Promise<Ending>>
}

/** What is left stays in front of its successors, which are left, too. */
type Ending = 'made' | 'left'

export function openDeliveries(context: WebhookContext): Deliveries {
  const { database } = context
  const tour = openLaneTour(database)
  const lanes = openHeldLanes(database)
  const turns = openTurns({ most: CONNECTIONS_PER_ORIGIN_MAX, least: ATTEMPTS_PER_ORIGIN, together: ATTEMPTS })
  const underWay = { count: 0, holdingOn: undefined }
  const attempts = openAttempts(context)
  const stopping = new AbortController()
  const work: Work = { context, attempts, load: countLoad(), turns, lanes, stopping, underWay, newest: new Map() }
  const leave = (idle?: readonly Lane[]) =>
    lanes
      .leaveIdle(idle)
      .catch((error) => context.log.error({ error }, 'lanes of webhooks could not be left to others'))
  let toured = Number.NEGATIVE_INFINITY
  const lanesWithWork = async (): Promise<readonly Lane[]> => {
    const now = steadyMilliseconds()
    const mayWait = underWay.count >= MANY_IN_HAND && now - toured < ROUND_EVERY_WHEN_MANY_MILLISECONDS
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
      const begun = (await lanes.takeFrom(shares)).map((delivery) => deliver(work, delivery))
      await leave(withoutShare(found, shares))
      return begun
    },
    stop: async () => {
      turns.close()
      stopping.abort()
      // Whatever waited for its turn has been put down by then.
      await setImmediate()
      await leave()
    },
    leaveToOthers: () => leave(),
  }
}

/** Something waits in these, and there is no place for it here: another worker may have one. */
function withoutShare(found: readonly Lane[], shares: readonly Lane[]): readonly Lane[] {
  const shared = new Set(shares.map(laneName))
  return found.filter((lane) => !shared.has(laneName(lane)))
}

/** Never rejects: what cannot be kept is taken again. */
async function deliver(work: Work, delivery: WaitingDelivery): Promise<void> {
  const { newest, load } = work
  load.take(delivery)
  const line = `${delivery.subscriptionId} ${delivery.subjectId ?? delivery.id}`
  const done = inOrder(work, delivery, newest.get(line))
  newest.set(line, done)
  await done
  if (newest.get(line) === done) {
    newest.delete(line)
  }
}

async function inOrder(work: Work, delivery: WaitingDelivery, before: Promise<Ending> | undefined): Promise<Ending> {
  const { context, lanes, load, stopping } = work
  beginHoldingOn(work)
  let attempt: Attempt | undefined
  let ending: Ending = 'left'
  try {
    attempt = (await before) === 'left' ? undefined : await attemptInTurn(work, delivery)
    ending = attempt === undefined ? 'left' : 'made'
  } catch (error) {
    context.log.error({ delivery: delivery.id, error }, 'what became of a delivery could not be kept')
    await setTimeout(NOT_KEPT_PAUSE_MILLISECONDS, undefined, { signal: stopping.signal }).catch(() => undefined)
  } finally {
    load.leave(delivery, attempt)
    lanes.putDown(delivery, ending)
    endHoldingOn(work)
  }
  return ending
}

/** The first of what is under way begins to hold on to all lanes; the last one ends that. */
function beginHoldingOn({ context, lanes, underWay }: Work): void {
  underWay.count += 1
  underWay.holdingOn ??= setInterval(() => {
    lanes.renew().catch((error) => context.log.error({ error }, 'lanes of webhooks could not be held on to'))
  }, HOLD_ON_EVERY_MILLISECONDS)
}

function endHoldingOn({ underWay }: Work): void {
  underWay.count -= 1
  if (underWay.count === 0) {
    clearInterval(underWay.holdingOn)
    underWay.holdingOn = undefined
  }
}

/** Undefined when there are no more turns, or another worker may have made it by now. Throws when it cannot be kept. */
async function attemptInTurn(work: Work, delivery: WaitingDelivery): Promise<Attempt | undefined> {
  const { attempts, context, lanes, turns } = work
  const endTurn = await turns.take(delivery.origin)
  if (endTurn === undefined || !lanes.isToMake(delivery)) {
    endTurn?.()
    return undefined
  }
  const made = await attempts.post(delivery).finally(endTurn)
  await keepAtLength(context.log, () => attempts.keep(delivery, made))
  return made.attempt
}
