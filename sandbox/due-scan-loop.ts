/** Scans for due rows in a program of the sandbox, one scan at a time. */
import type { FastifyInstance } from 'fastify'
import { monotonicMilliseconds } from '../gateway/platform/clock.ts'
import type { Log } from '../gateway/platform/observability/log.ts'

/** One at a time. */
export type SerialQueue = {
  /** Runs something while nothing else of the queue does. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result>
  /** Resolves when everything in flight has ended, with success or failure. */
  idle(): Promise<void>
}

/** How long a due row may wait for the next scan. */
const POLL_MILLISECONDS = 200
/** Scans without a reason: nothing depends on them. */
const SCAN_INTERVAL_MAX_MILLISECONDS = 30_000
/** A scan that fails, as while the database is away, is repeated after this time at most. */
const AFTER_FAILURE_MILLISECONDS_MAX = 2_000

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

/** Whether requests have arrived: every due time is set by a request, or was known before. */
export type RequestActivity = {
  /** Has a server's requests count. */
  follow(server: FastifyInstance): void
  /** Whether a request is in flight, or was since the last call. */
  consumeActivity(): boolean
}

/** No request has arrived yet. */
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
  /** Processes what is due, and returns in how many milliseconds the next thing falls due. */
  readonly scan: () => Promise<number>
  readonly activity: RequestActivity
  readonly log: Log
}

/**
 * Scans when rows become due and after requests, one scan at a time, until the returned function is called; that
 * resolves when no scan is in flight. A failing scan is logged once and repeated.
 */
export function startDueScanLoop({ scan, activity, log }: DueScanSettings): () => Promise<void> {
  let looking: Promise<void> | undefined
  let [lookAt, failures] = [0, 0]
  const scanOnce = async () => {
    try {
      const wait = await scan()
      lookAt = monotonicMilliseconds() + Math.min(wait, SCAN_INTERVAL_MAX_MILLISECONDS)
      failures = 0
    } catch (error) {
      failures += 1
      lookAt = monotonicMilliseconds() + Math.min(POLL_MILLISECONDS * 2 ** failures, AFTER_FAILURE_MILLISECONDS_MAX)
      if (failures === 1) {
        log.error({ error }, 'the scan for due rows fails; it is repeated')
      }
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
