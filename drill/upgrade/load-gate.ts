/** Lets the parts of a load pass one by one, and holds them back while something happens that they must not meet. */
import { createInFlightCounter } from '../../gateway/platform/concurrency.ts'

export type LoadGate = {
  pass<Result>(part: () => Promise<Result>): Promise<Result>
  /** Waits for the parts that have begun, and begins no other until the action has ended. */
  whileClosed(action: () => Promise<void>): Promise<void>
}

export function openLoadGate(): LoadGate {
  const inFlight = createInFlightCounter()
  let opened = Promise.resolve()
  const untilOpen = async () => {
    // It may have been closed again meanwhile.
    for (let awaited: Promise<void> | undefined; awaited !== opened; ) {
      awaited = opened
      await awaited
    }
  }
  return {
    pass: async (part) => {
      await untilOpen()
      inFlight.begin()
      try {
        return await part()
      } finally {
        inFlight.end()
      }
    },
    whileClosed: async (action) => {
      const closed = Promise.withResolvers<void>()
      opened = closed.promise
      try {
        await inFlight.none()
        await action()
      } finally {
        closed.resolve()
      }
    },
  }
}
