/** Looks for what falls due in a program of the sandbox, and keeps its books to one at a time. */
import type { FastifyInstance } from 'fastify'
import { monotonicMilliseconds } from '../gateway/platform/clock.ts'
import type { Log } from '../gateway/platform/observability/log.ts'

/** One at a time. */
export type SerialQueue = {
  /** Runs something while nothing else of the queue does. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result>
  /** Settles when all that was begun has ended, however it did. */
  idle(): Promise<void>
}

/** How long something due may wait for the program to look. */
const POLL_MILLISECONDS = 200
/** Looks without a reason: nothing depends on them. */
const SCAN_INTERVAL_MAX_MILLISECONDS = 30_000

/** Nothing is in it at first. */
export function openSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return {
    runExclusive: (work) => {
      const result = last.then(work)
      last = result.catch(() => undefined)
      return result
    },
    idle: async () => void (await last),
  }
}

/** Whether requests have come: whatever falls due in a program is made due by one, or was known to fall due before. */
export type RequestActivity = {
  /** Has a server's requests count. */
  follow(server: FastifyInstance): void
  /** Whether a request is in flight, or was since the last call. */
  consumeActivity(): boolean
}

/** No request has come yet. */
export function trackRequestActivity(): RequestActivity {
  let [isNews, inFlight] = [false, 0]
  return {
    follow: (server) => {
      server.addHook('onRequest', async (_request, reply) => {
        inFlight += 1
        reply.raw.once('close', () => {
          isNews = true
          inFlight -= 1
        })
      })
    },
    consumeActivity: () => {
      const wasNews = isNews || inFlight > 0
      isNews = false
      return wasNews
    },
  }
}

export type DueScanSettings = {
  /** Carries out what is due. */
  readonly look: () => Promise<void>
  /** In how many milliseconds the next thing falls due. */
  readonly waitUntilDue: () => Promise<number>
  readonly activity: RequestActivity
  readonly log: Log
}

/**
 * Looks when something falls due and after requests, one look at a time, until the answered function is called; it settles
 * when no look is in flight. A look that fails is logged, and comes again.
 */
export function startDueScanLoop({ look, waitUntilDue, activity, log }: DueScanSettings): () => Promise<void> {
  let looking: Promise<void> | undefined
  let lookAt = 0
  const scanOnce = async () => {
    try {
      await look()
      lookAt = monotonicMilliseconds() + Math.min(await waitUntilDue(), SCAN_INTERVAL_MAX_MILLISECONDS)
    } catch (error) {
      lookAt = 0
      log.error({ err: error }, 'the sweep failed and goes on')
    }
    looking = undefined
  }
  const timer = setInterval(() => {
    if (looking === undefined && (activity.consumeActivity() || monotonicMilliseconds() >= lookAt)) {
      looking = scanOnce()
    }
  }, POLL_MILLISECONDS)
  return async () => {
    clearInterval(timer)
    await looking
  }
}

/** Forever when there is no such time. */
export function millisecondsUntil(due: Temporal.Instant | null, now: Temporal.Instant): number {
  return due === null ? Number.POSITIVE_INFINITY : due.epochMilliseconds - now.epochMilliseconds
}
