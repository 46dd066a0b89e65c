/** Measures the CPU time of the processes of a Havn, by name, and of the load generator. */
import { readFile } from 'node:fs/promises'
import { startedBy } from './process-tree.ts'

/** Milliseconds by the name of the process; `client` is the load generator. */
export type CpuTimes = ReadonlyMap<string, number>

/** The unit of CPU time on Linux (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100
/** Counted from the field after the program's name (proc(5), fields 14 and 15). */
const [USER_TIME, SYSTEM_TIME] = [11, 12]

/** Of one process: when it ends, its time must not be subtracted from that of others with its name. */
type ProcessTime = { readonly name: string; readonly milliseconds: number }

/** Runs work, and measures what it took. Processes that end meanwhile are not counted. */
export async function cpuTimesDuring<Result>(
  { supervisorPid }: { readonly supervisorPid: number },
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly times: CpuTimes }> {
  const before = await processTimes(supervisorPid)
  const result = await work()
  const times = new Map<string, number>()
  for (const [pid, { name, milliseconds }] of await processTimes(supervisorPid)) {
    times.set(name, (times.get(name) ?? 0) + milliseconds - (before.get(pid)?.milliseconds ?? 0))
  }
  return { result, times }
}

/** CPU time of a process in seconds; none for a process that has ended. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER_TIME] ?? 0) + Number(fields[SYSTEM_TIME] ?? 0)) / TICKS_PER_SECOND
}

async function processTimes(supervisorPid: number): Promise<ReadonlyMap<number, ProcessTime>> {
  const { user, system } = process.cpuUsage()
  const times = new Map([[process.pid, { name: 'client', milliseconds: (user + system) / 1000 }]])
  for (const { pid, name } of await startedBy(supervisorPid)) {
    times.set(pid, { name, milliseconds: (await cpuSecondsOf(pid)) * 1000 })
  }
  return times
}
