/** Measures how long work blocks the event loop, in CPU time, which does not depend on the load of the machine. */
import { setImmediate } from 'node:timers/promises'

/** CPU time is reported in steps of some milliseconds. */
const UNITS_MEASURED = 50
const UNIT_TEXT = JSON.stringify(Array.from({ length: 2_000 }, (_, n) => ({ name: `Kari ${n}`, amount: '123.45', n })))

/** The result, and the longest iteration of the loop meanwhile, in milliseconds of this thread's CPU time. */
export async function longestTaskDuration<Result>(
  work: Promise<Result>,
): Promise<{ result: Result; milliseconds: number }> {
  let isDone = false
  const finished = work.finally(() => {
    isDone = true
  })
  let [longest, before] = [0, threadMilliseconds()]
  while (!isDone) {
    await setImmediate()
    const now = threadMilliseconds()
    longest = Math.max(longest, now - before)
    before = now
  }
  return { result: await finished, milliseconds: longest }
}

/** The current time that this process needs to parse and serialise 83 kB of JSON. */
export function unitMilliseconds(): number {
  const before = threadMilliseconds()
  for (let unit = 0; unit < UNITS_MEASURED; unit += 1) {
    JSON.stringify(JSON.parse(UNIT_TEXT))
  }
  return (threadMilliseconds() - before) / UNITS_MEASURED
}

function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
