/** Gives memory back to the system while a program has nothing to do: V8 keeps what a start or a busy hour needed. */

const LOOK_EVERY_MILLISECONDS = 5_000
/** Whoever uses less of its core than this is idle. */
const IDLE_SHARE_MAX = 0.05
/** Less work than this leaves too little behind for a collection, which holds the program up for a tenth of a second. */
const WORK_MILLISECONDS_MIN = 500

/** Does nothing in a runtime that was not started with `--expose-gc`. */
export function releaseMemoryWhenIdle(): void {
  const collect = globalThis.gc
  if (collect === undefined) {
    return
  }
  let [seen, released] = [0, 0]
  const look = () => {
    const used = usedMilliseconds()
    const isIdle = used - seen < LOOK_EVERY_MILLISECONDS * IDLE_SHARE_MAX
    if (isIdle && used - released > WORK_MILLISECONDS_MIN) {
      // Other kinds of collections keep the pages for later.
      collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
      released = usedMilliseconds()
    }
    seen = usedMilliseconds()
  }
  setInterval(look, LOOK_EVERY_MILLISECONDS).unref()
}

function usedMilliseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
