/** Measures the CPU time of the processes of a Havn, by name, and of the load generator. */
import { readFile } from 'node:fs/promises'
import { startedBy } from './process-tree.ts'

/** Milliseconds by the name of the process; `client` is the load generator. */
export type CpuTimes = ReadonlyMap<string, number>

/** The unit of CPU time on Linux (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100
/** Counted from the field after the program's name (proc(5), fields 14 and 15). */
const [USER_TIME, SYSTEM_TIME] = [11, 12]

/** Runs work, and measures what it took. Processes that end meanwhile are not counted. */
export async function cpuTimesDuring<Result>(
  { supervisorPid }: { readonly supervisorPid: number },
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly times: CpuTimes }> {
  const before = await cpuTimes(supervisorPid)
  const result = await work()
  const after = await cpuTimes(supervisorPid)
  return { result, times: new Map([...after].map(([name, time]) => [name, time - (before.get(name) ?? 0)])) }
}

/** CPU time of a process in seconds; none for a process that has ended. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER_TIME] ?? 0) + Number(fields[SYSTEM_TIME] ?? 0)) / TICKS_PER_SECOND
}

async function cpuTimes(supervisorPid: number): Promise<CpuTimes> {
  const { user, system } = process.cpuUsage()
  const times = new Map([['client', (user + system) / 1000]])
  for (const { pid, name } of await startedBy(supervisorPid)) {
    times.set(name, (times.get(name) ?? 0) + (await cpuSecondsOf(pid)) * 1000)
  }
  return times
}
