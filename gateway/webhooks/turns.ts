/** Lets only so many through at once for each key, fewer the more keys there are; the others wait in their order. */

/** Waits for a turn; whoever got it must end it. */
export type Turns = (key: string) => Promise<EndTurn>
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

type Queue = { underWay: number; readonly waiting: (() => void)[] }

export function openTurns({ most, least, together }: TurnLimits): Turns {
  const queues = new Map<string, Queue>()
  const width = () => Math.min(most, Math.max(least, Math.floor(together / queues.size)))
  const end = (key: string, queue: Queue) => {
    const next = queue.underWay > width() ? undefined : queue.waiting.shift()
    if (next !== undefined) {
      // The turn is handed over.
      next()
    } else {
      queue.underWay -= 1
      if (queue.underWay === 0) {
        queues.delete(key)
      }
    }
  }
  return async (key) => {
    const queue = queues.get(key) ?? { underWay: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.underWay < width()) {
      queue.underWay += 1
    } else {
      await new Promise<void>((resolve) => queue.waiting.push(resolve))
    }
    return () => end(key, queue)
  }
}
