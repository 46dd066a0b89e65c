/** Looks for deliveries again and again until it is told to stop, often enough that partners learn of changes at once. */
import { setTimeout } from 'node:timers/promises'
import type { OwnPace } from '../../foundation/sweep.ts'
import type { Deliveries } from '../deliver-ready.ts'
import type { WebhookContext } from '../webhook-context.ts'

/** So much is added to an event's way at most while events come; an empty look costs a tenth of a millisecond. */
const LOOK_EVERY_MILLISECONDS = 25
/** While some are under way, places become free at any time. */
const LOOK_EVERY_WHEN_BUSY_MILLISECONDS = 10
/** With so many in hand no connection runs dry before the next look, and each look then finds more places free. */
const PLENTY = 512
/** After a while without any, where nothing tells when the next is ready. */
const LOOK_EVERY_WHEN_QUIET_MILLISECONDS = 100
const QUIET_AFTER_SECONDS = 5
const AFTER_FAILURE_MILLISECONDS = 2_000
const TAKEN_AT_ONCE_MAX = 512

/** Ends when what is under way has; what waits for its turn by then is left. */
export async function deliverUntil(
  stopping: AbortSignal,
  { log, metrics, clock }: WebhookContext,
  deliveries: Deliveries,
  { beforeRound, untilDue }: OwnPace,
): Promise<void> {
  let latest = clock.real()
  const look = async (): Promise<number | 'quiet'> => {
    try {
      await beforeRound()
      const begun = await deliveries.begin(TAKEN_AT_ONCE_MAX)
      latest = begun.length > 0 ? clock.real() : latest
      return pauseFor()
    } catch (error) {
      metrics.sweepFailures.inc({ sweep: 'webhook deliveries' })
      log.error({ error }, 'deliveries could not be taken; they will be tried again')
      return AFTER_FAILURE_MILLISECONDS
    }
  }
  const pauseFor = () => {
    const quietSeconds = clock.real().since(latest).total('seconds')
    const underWay = deliveries.count()
    if (underWay > 0) {
      return underWay < PLENTY ? LOOK_EVERY_WHEN_BUSY_MILLISECONDS : LOOK_EVERY_MILLISECONDS
    }
    return quietSeconds > QUIET_AFTER_SECONDS ? 'quiet' : LOOK_EVERY_MILLISECONDS
  }
  stopping.addEventListener('abort', () => void deliveries.stop(), { once: true })
  while (!stopping.aborted) {
    const wait = await look()
    await (wait === 'quiet'
      ? untilDue(LOOK_EVERY_WHEN_QUIET_MILLISECONDS)
      : setTimeout(wait, undefined, { signal: stopping }).catch(() => undefined))
  }
  await deliveries.ended()
  await deliveries.leaveToOthers()
}
