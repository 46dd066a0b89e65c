/** Counts operations in flight, and notifies waiters when there are none. */

export type InFlightCounter = {
  begin(): void
  end(): void
  count(): number
  /** Resolves when nothing is in flight; at once when nothing was. */
  none(): Promise<void>
}

/** A counter instead of a set of promises: thousands begin and end in a second, and each promise would cost memory. */
export function createInFlightCounter(): InFlightCounter {
  let count = 0
  let waiting: (() => void)[] = []
  return {
    begin: () => {
      count += 1
    },
    end: () => {
      count -= 1
      if (count === 0) {
        const waiters = waiting
        waiting = []
        for (const notify of waiters) {
          notify()
        }
      }
    },
    count: () => count,
    none: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}
