/** Measures how long work blocks the event loop, in CPU time, which does not depend on the load of the machine. */
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { monotonicMilliseconds } from '../../platform/clock.ts'

/** CPU time is reported in steps of some milliseconds. */
const UNITS_MEASURED = 50
const UNIT_TEXT = JSON.stringify(Array.from({ length: 2_000 }, (_, n) => ({ name: `Kari ${n}`, amount: '123.45', n })))

/** Shorter tasks do not delay other requests, and there are many of them. */
const SHORT_TASK_MILLISECONDS = 5

type Task = { readonly begun: number; readonly ended: number; readonly milliseconds: number }

/**
 * The result, and the longest iteration of the loop meanwhile, in milliseconds of this thread's CPU time. Collections of
 * garbage are not counted: how long they take depends on what the process holds, and tests hold what earlier ones left.
 */
export async function longestTaskDuration<Result>(
  work: Promise<Result>,
): Promise<{ result: Result; milliseconds: number }> {
  let isDone = false
  const finished = work.finally(() => {
    isDone = true
  })
  const collections: PerformanceEntry[] = []
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  const tasks: Task[] = []
  let [begun, before] = [monotonicMilliseconds(), threadMilliseconds()]
  while (!isDone) {
    await setImmediate()
    const [ended, now] = [monotonicMilliseconds(), threadMilliseconds()]
    if (now - before > SHORT_TASK_MILLISECONDS) {
      tasks.push({ begun, ended, milliseconds: now - before })
    }
    ;[begun, before] = [ended, now]
  }
  // A collection is reported in the next iteration.
  await setImmediate()
  collections.push(...observer.takeRecords())
  observer.disconnect()
  const durations = tasks.map((task) => task.milliseconds - collectingWithin(task, collections))
  return { result: await finished, milliseconds: Math.max(SHORT_TASK_MILLISECONDS, ...durations) }
}

function collectingWithin({ begun, ended }: Task, collections: readonly PerformanceEntry[]): number {
  const within = collections.filter(({ startTime }) => startTime >= begun && startTime < ended)
  return within.reduce((sum, { duration }) => sum + duration, 0)
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
