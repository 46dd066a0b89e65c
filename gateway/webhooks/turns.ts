/** Lets only so many through at once for each key, fewer the more keys there are; the others wait in their order. */

/** Those who take turns. */
export type Turns = {
  /** Waits for a turn, which whoever gets it must end; undefined when there will be none any more. */
  take(key: string): Promise<EndTurn | undefined>
  /** Sends away whoever waits, and whoever comes. Turns that were given go on. */
  close(): void
}
export type EndTurn = () => void

/** How many may have their turn at once. */
export type TurnLimits = {
  /** Of one key, while few keys have any. */
  readonly most: number
  /** Of one key, however many keys have some. */
  readonly least: number
  /** Of all keys together, unless that would leave a key with less than the least. */
  readonly together: number
}

type Queue = { underWay: number; readonly waiting: ((isGiven: boolean) => void)[] }

export function openTurns({ most, least, together }: TurnLimits): Turns {
  const queues = new Map<string, Queue>()
  let isClosed = false
  const width = () => Math.min(most, Math.max(least, Math.floor(together / queues.size)))
  const end = (key: string, queue: Queue) => {
    const next = queue.underWay > width() ? undefined : queue.waiting.shift()
    if (next !== undefined) {
      // The turn is handed over.
      next(true)
    } else {
      queue.underWay -= 1
      if (queue.underWay === 0) {
        queues.delete(key)
      }
    }
  }
  return {
    take: async (key) => {
      if (isClosed) {
        return undefined
      }
      const queue = queues.get(key) ?? { underWay: 0, waiting: [] }
      queues.set(key, queue)
      if (queue.underWay < width()) {
        queue.underWay += 1
      } else if (!(await new Promise<boolean>((resolve) => queue.waiting.push(resolve)))) {
        return undefined
      }
      return () => end(key, queue)
    },
    close: () => {
      isClosed = true
      for (const sendAway of [...queues.values()].flatMap(({ waiting }) => waiting.splice(0))) {
        sendAway(false)
      }
    },
  }
}
