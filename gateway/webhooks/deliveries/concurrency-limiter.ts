/** Limits concurrency per key: the limit falls as more keys are active; waiters are served in order. */

/** A concurrency limiter with a FIFO queue per key. */
export type ConcurrencyLimiter = {
  /** Acquires a slot, at once when one is free; the caller must release it. Undefined once the limiter is closed. */
  take(key: string): ReleaseSlot | undefined | Promise<ReleaseSlot | undefined>
  /** Rejects current and future waiters. Slots that were acquired stay valid. */
  close(): void
}
export type ReleaseSlot = () => void

/** The limits of concurrent slots. */
export type ConcurrencyLimits = {
  /** Per key, while few keys are active. */
  readonly maxPerKey: number
  /** Per key, however many keys are active. */
  readonly minPerKey: number
  /** Over all keys; a key below its minimum gets a slot in addition. */
  readonly maxTotal: number
}

type Queue = { underWay: number; readonly waiting: ((isGiven: boolean) => void)[] }

export function openConcurrencyLimiter({ maxPerKey, minPerKey, maxTotal }: ConcurrencyLimits): ConcurrencyLimiter {
  const queues = new Map<string, Queue>()
  let isClosed = false
  let underWay = 0
  const width = () => Math.min(maxPerKey, Math.max(minPerKey, Math.floor(maxTotal / queues.size)))
  /**
   * A key that acquired many slots while few keys were active keeps them: others have their minimum until those are
   * released.
   */
  const isFree = (queue: Queue) => queue.underWay < minPerKey || (queue.underWay < width() && underWay < maxTotal)
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
      const releaseSlot = () => end(key, queue)
      if (queue.waiting.length === 0 && isFree(queue)) {
        begin(queue)
        return releaseSlot
      }
      return new Promise((resolve) => queue.waiting.push((isGiven) => resolve(isGiven ? releaseSlot : undefined)))
    },
    close: () => {
      isClosed = true
      for (const sendAway of [...queues.values()].flatMap(({ waiting }) => waiting.splice(0))) {
        sendAway(false)
      }
    },
  }
}
