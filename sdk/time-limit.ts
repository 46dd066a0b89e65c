/** Limits how long one attempt may wait for the next byte, and joins that with the caller's signal. */

/** A limit that runs while something is awaited. */
export type TimeLimit = {
  /** Aborted when the limit has passed, or by the caller. */
  readonly signal: AbortSignal
  /** Whether the limit has passed. */
  isOver(): boolean
  /** Starts the limit, or starts it again. */
  start(): void
  stop(): void
}

/** A limit in milliseconds that has not started. */
export function timeLimit(milliseconds: number, callerSignal: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let over = false
  const stop = () => clearTimeout(timer)
  return {
    signal: callerSignal === undefined ? controller.signal : AbortSignal.any([controller.signal, callerSignal]),
    isOver: () => over,
    start() {
      stop()
      timer = setTimeout(() => {
        over = true
        controller.abort()
      }, milliseconds)
    },
    stop,
  }
}
