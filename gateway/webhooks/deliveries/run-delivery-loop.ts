/** Polls for deliveries until it is stopped, often enough that partners are notified without delay. */

import { setTimeout } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { openFailureStreak } from '../../platform/jobs/failure-streak.ts'
import type { SweepPacing } from '../../platform/jobs/sweep.ts'
import { WEBHOOK_DELIVERIES } from '../store/delivery.ts'
import type { DeliveryWorker } from './delivery-worker.ts'

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
