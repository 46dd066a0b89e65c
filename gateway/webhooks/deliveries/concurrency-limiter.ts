/** Lets only so many through at once for each key, fewer the more keys there are; the others wait in their order. */

/** Those who take turns. */
export type Turns = {
  /** A turn, at once when one is free, which whoever gets it must end; undefined when there will be none any more. */
  take(key: string): EndTurn | undefined | Promise<EndTurn | undefined>
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
  /** Of all keys together; a key that has less than the least has it besides. */
  readonly together: number
}

type Queue = { underWay: number; readonly waiting: ((isGiven: boolean) => void)[] }

export function openTurns({ most, least, together }: TurnLimits): Turns {
  const queues = new Map<string, Queue>()
  let isClosed = false
  let underWay = 0
  const width = () => Math.min(most, Math.max(least, Math.floor(together / queues.size)))
  /** Whoever came when keys were few may have many: others have the least until those have ended. */
  const isFree = (queue: Queue) => queue.underWay < least || (queue.underWay < width() && underWay < together)
  const begin = (queue: Queue) => {
    queue.underWay += 1
    underWay += 1
  }
  const end = (key: string, queue: Queue) => {
    queue.underWay -= 1
    underWay -= 1
    while (queue.waiting.length > 0 && isFree(queue)) {
      begin(queue)
      queue.waiting.shift()?.(true)
    }
    if (queue.underWay === 0) {
      queues.delete(key)
    }
  }
  return {
    take: (key) => {
      if (isClosed) {
        return undefined
      }
      const queue = queues.get(key) ?? { underWay: 0, waiting: [] }
      queues.set(key, queue)
      const endTurn = () => end(key, queue)
      if (queue.waiting.length === 0 && isFree(queue)) {
        begin(queue)
        return endTurn
      }
      return new Promise((resolve) => queue.waiting.push((isGiven) => resolve(isGiven ? endTurn : undefined)))
    },
    close: () => {
      isClosed = true
      for (const sendAway of [...queues.values()].flatMap(({ waiting }) => waiting.splice(0))) {
        sendAway(false)
      }
    },
  }
}
