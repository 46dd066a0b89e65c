/** Polls for ready deliveries and delivers them concurrently: what is claimed is attempted at once. */

import { setTimeout } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { monotonicMilliseconds } from '../../platform/clock.ts'
import { createInFlightCounter } from '../../platform/concurrency.ts'
import { openFailureStreak } from '../../platform/jobs/failure-streak.ts'
import { processRow } from '../../platform/jobs/process-row.ts'
import type { SweepPacing } from '../../platform/jobs/sweep.ts'
import { WEBHOOK_DELIVERIES } from '../store/delivery.ts'
import { putBackDelivery, recordAttempts } from '../store/delivery-attempt-store.ts'
import {
  BEFORE_FIRST_QUEUE,
  claimReadyDeliveries,
  DELIVERY_LEASE_SECONDS,
  type DeliveryQueue,
  findReadyQueues,
  type LeasedDelivery,
} from '../store/delivery-claim-store.ts'
import { openDeliveryAttempts } from './delivery-attempts.ts'
import { scheduleFairly, trackDeliveryLoad } from './fair-scheduling.ts'

/** The deliveries of this process. */
export type DeliveryWorker = {
  /** Claims and starts up to `limit` deliveries, none once stopping; a promise resolves when its outcome is recorded. */
  begin(limit: number, stopping?: AbortSignal): Promise<readonly Promise<void>[]>
  /** How many are in flight. */
  count(): number
  /** Resolves when none is in flight. */
  ended(): Promise<void>
}

/** Deliveries in memory, with their bodies: those in flight, and those whose outcome is being recorded. */
const IN_MEMORY_MAX = 1_536

/** More queues than there is capacity for, yet each costs an index step many times a second. */
const QUEUES_PER_SCAN_MAX = 256

/** A claim whose answer comes later is dropped: half of the lease is left for an attempt, and some for its record. */
const CLAIM_MILLISECONDS_MAX = (DELIVERY_LEASE_SECONDS * 1_000) / 4

export function openDeliveryWorker(context: Context): DeliveryWorker {
  const { clock, database, log, outcomes } = context
  const inFlight = createInFlightCounter()
  const load = trackDeliveryLoad()
  const nextQueues = openQueueScan(context)
  // No request waits for these, and deliveries must not be repeated because the database was unavailable for a moment.
  const attempts = openDeliveryAttempts(context, (...records) => outcomes.record(() => recordAttempts(...records)))

  const deliver = async (delivery: LeasedDelivery): Promise<void> => {
    const { partnerId, id, hasFailed } = delivery
    const endAttempt = load.begin(delivery)
    inFlight.begin()
    try {
      await processRow(
        context,
        { sweep: WEBHOOK_DELIVERIES, partnerId, rowId: id, hasFailed },
        async () => {
          const made = await attempts.post(delivery).catch((error: unknown) => {
            endAttempt(undefined)
            throw error
          })
          endAttempt(made.attempt)
          await attempts.record(delivery, made)
        },
        (delay) => putBackDelivery(database, delivery, clock.now().add(delay)),
      )
    } catch (error) {
      // Until the lease ends no worker repeats it, and no later event of its subject overtakes it.
      log.error({ delivery: id, error }, 'the outcome of a delivery could not be recorded')
    } finally {
      inFlight.end()
    }
  }
  return {
    begin: async (limit, stopping) => {
      const claims = scheduleFairly(await nextQueues(), load, Math.min(limit, IN_MEMORY_MAX - inFlight.count()))
      if (claims.length === 0 || stopping?.aborted === true) {
        return []
      }
      const asked = monotonicMilliseconds()
      const claimed = await claimReadyDeliveries(database, claims)
      return monotonicMilliseconds() - asked > CLAIM_MILLISECONDS_MAX ? [] : claimed.map(deliver)
    },
    count: inFlight.count,
    ended: inFlight.none,
  }
}

/** Queues with ready deliveries, round-robin, so that each is reached however many there are; empty when none has. */
function openQueueScan({ database }: Context): () => Promise<readonly DeliveryQueue[]> {
  let last = BEFORE_FIRST_QUEUE
  const scanFrom = async (place: DeliveryQueue) => {
    const queues = await findReadyQueues(database, place, QUEUES_PER_SCAN_MAX)
    last = (queues.length === QUEUES_PER_SCAN_MAX ? queues.at(-1) : undefined) ?? BEFORE_FIRST_QUEUE
    return queues
  }
  return async () => {
    const place = last
    const queues = await scanFrom(place)
    return queues.length === 0 && place !== BEFORE_FIRST_QUEUE ? await scanFrom(BEFORE_FIRST_QUEUE) : queues
  }
}

/** The latency that polling adds while events arrive; an empty poll costs a tenth of a millisecond. */
const POLL_INTERVAL_MILLISECONDS = 25
/** While some are in flight, capacity becomes free at any time; sooner again after a poll that claimed some. */
const POLL_INTERVAL_WHEN_BUSY_MILLISECONDS = 10
const POLL_INTERVAL_AFTER_CLAIM_MILLISECONDS = 1
/** After a while without any, when there is no due-time notification. */
const POLL_INTERVAL_WHEN_IDLE_MILLISECONDS = 100
const IDLE_AFTER_SECONDS = 5
const CLAIM_BATCH_MAX = 512

/** Resolves when everything that was claimed has ended, including by a claim that was in flight when it was stopped. */
export async function runDeliveryLoop(
  stopping: AbortSignal,
  context: Context,
  deliveries: DeliveryWorker,
  { beforeRound, waitUntilDue }: SweepPacing,
): Promise<void> {
  const { clock } = context
  const failures = openFailureStreak(context, WEBHOOK_DELIVERIES)
  let latest = clock.real()
  const poll = async (): Promise<number | 'quiet'> => {
    try {
      await beforeRound()
      const begun = await deliveries.begin(CLAIM_BATCH_MAX, stopping)
      failures.end()
      if (begun.length > 0) {
        latest = clock.real()
        return POLL_INTERVAL_AFTER_CLAIM_MILLISECONDS
      }
    } catch (error) {
      return failures.record(error)
    }
    if (deliveries.count() > 0) {
      return POLL_INTERVAL_WHEN_BUSY_MILLISECONDS
    }
    return clock.real().since(latest).total('seconds') > IDLE_AFTER_SECONDS ? 'quiet' : POLL_INTERVAL_MILLISECONDS
  }
  while (!stopping.aborted) {
    const wait = await poll()
    await (wait === 'quiet'
      ? waitUntilDue(POLL_INTERVAL_WHEN_IDLE_MILLISECONDS)
      : setTimeout(wait, undefined, { signal: stopping }).catch(() => undefined))
  }
  await deliveries.ended()
}
