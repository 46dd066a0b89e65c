/** Returns memory to the system while a program is idle: V8 keeps what a start or a busy hour needed. */

const CHECK_INTERVAL_MILLISECONDS = 5_000
/** A program that uses less of its core than this is idle. */
const IDLE_SHARE_MAX = 0.05
/** After less work than this a collection, which blocks the program for a tenth of a second, frees too little. */
const WORK_MILLISECONDS_MIN = 500

/** Does nothing in a runtime that was not started with `--expose-gc`. */
export function releaseMemoryWhenIdle(): void {
  const collect = globalThis.gc
  if (collect === undefined) {
    return
  }
  let [seen, released] = [0, 0]
  const check = () => {
    const used = usedMilliseconds()
    const isIdle = used - seen < CHECK_INTERVAL_MILLISECONDS * IDLE_SHARE_MAX
    if (isIdle && used - released > WORK_MILLISECONDS_MIN) {
      // Other kinds of collections keep the pages for later.
      collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
      released = usedMilliseconds()
    }
    seen = usedMilliseconds()
  }
  setInterval(check, CHECK_INTERVAL_MILLISECONDS).unref()
}

function usedMilliseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
