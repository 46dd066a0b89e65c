/** What the client takes from its surroundings: elapsed time, waiting and chance; tests supply their own. */

export type Runtime = {
  /** Milliseconds since an arbitrary moment, independent of changes to the system clock. */
  elapsedMilliseconds(): number
  /** Resolves after a delay; rejects with the signal's reason when it is aborted meanwhile. */
  wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void>
  /** A number from 0 to below 1. */
  random(): number
}

export const platformRuntime: Runtime = {
  elapsedMilliseconds: () => performance.now(),
  wait,
  random: () => Math.random(),
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    if (signal?.aborted === true) {
      abort()
    } else {
      signal?.addEventListener('abort', abort, { once: true })
    }
  })
}
