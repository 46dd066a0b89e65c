/** Measures for how long something holds up the event loop of this process, in processor time, which a busy machine does not change. */
import { setImmediate } from 'node:timers/promises'

/** Processor time is reported in steps of some milliseconds. */
const UNITS_MEASURED = 50
const UNIT_TEXT = JSON.stringify(Array.from({ length: 2_000 }, (_, n) => ({ name: `Kari ${n}`, amount: '123.45', n })))

/** The result, and the longest turn of the loop while it was awaited, in milliseconds of this thread's processor time. */
export async function longestTurnOf<Result>(work: Promise<Result>): Promise<{ result: Result; milliseconds: number }> {
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

/** How long this process takes now to parse and write 83 kB of JSON. */
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
