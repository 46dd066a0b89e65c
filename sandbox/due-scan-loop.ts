/** Looks for what falls due in a program of the sandbox, and keeps its books to one at a time. */
import type { FastifyInstance } from 'fastify'
import { steadyMilliseconds } from '../gateway/platform/clock.ts'
import type { Log } from '../gateway/platform/observability/log.ts'

/** One at a time. */
export type Queue = {
  /** Runs something while nothing else of the queue does. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>
  /** Settles when all that was begun has ended, however it did. */
  idle(): Promise<void>
}

/** How long something due may wait for the program to look. */
const POLL_MILLISECONDS = 200
/** Looks without a reason: nothing depends on them. */
const LOOK_AT_LEAST_EVERY_MILLISECONDS = 30_000

/** Nothing is in it at first. */
export function openQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()
  return {
    alone: (work) => {
      const result = last.then(work)
      last = result.catch(() => undefined)
      return result
    },
    idle: async () => void (await last),
  }
}

/** Whether requests have come: whatever falls due in a program is made due by one, or was known to fall due before. */
export type Activity = {
  /** Has a server's requests count. */
  follow(server: FastifyInstance): void
  /** Whether a request is in flight, or was since the last call. */
  takeNews(): boolean
}

/** No request has come yet. */
export function openActivity(): Activity {
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
    takeNews: () => {
      const wasNews = isNews || inFlight > 0
      isNews = false
      return wasNews
    },
  }
}

export type Looking = {
  /** Carries out what is due. */
  readonly look: () => Promise<void>
  /** In how many milliseconds the next thing falls due. */
  readonly untilDue: () => Promise<number>
  readonly activity: Activity
  readonly log: Log
}

/**
 * Looks when something falls due and after requests, one look at a time, until the answered function is called; it settles
 * when no look is in flight. A look that fails is logged, and comes again.
 */
export function keepLooking({ look, untilDue, activity, log }: Looking): () => Promise<void> {
  let looking: Promise<void> | undefined
  let lookAt = 0
  const lookOnce = async () => {
    try {
      await look()
      lookAt = steadyMilliseconds() + Math.min(await untilDue(), LOOK_AT_LEAST_EVERY_MILLISECONDS)
    } catch (error) {
      lookAt = 0
      log.error({ err: error }, 'the sweep failed and goes on')
    }
    looking = undefined
  }
  const timer = setInterval(() => {
    if (looking === undefined && (activity.takeNews() || steadyMilliseconds() >= lookAt)) {
      looking = lookOnce()
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
