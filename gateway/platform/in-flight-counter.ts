/** Counts what is under way, and tells whoever waits for it when nothing is. */

export type UnderWay = {
  begin(): void
  end(): void
  count(): number
  /** Settles when nothing is under way; at once when nothing was. */
  none(): Promise<void>
}

/** A count and not a set of promises: thousands begin and end in a second, and each promise more would be memory. */
export function countUnderWay(): UnderWay {
  let count = 0
  let waiting: (() => void)[] = []
  return {
    begin: () => {
      count += 1
    },
    end: () => {
      count -= 1
      if (count === 0) {
        const told = waiting
        waiting = []
        for (const tell of told) {
          tell()
        }
      }
    },
    count: () => count,
    none: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}
