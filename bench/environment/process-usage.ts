/** Reads what processes of the bench use: their children, processor time and memory. */

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { processTree } from '../../gateway/testing/gateway/child-processes.ts'

type NamedProcess = { readonly pid: number; readonly name: string }

/** The supervisor and its descendants; those of PostgreSQL share one name. */
export async function startedBy(supervisorPid: number): Promise<readonly NamedProcess[]> {
  return (await processTree(supervisorPid)).map(({ pid, commandLine }) => ({ pid, name: nameOf(commandLine) }))
}

function nameOf(commandLine: string): string {
  const [, role, sandbox] = /launcher\/roles\/main\.ts ([a-z-]+)|sandbox\/([a-z-]+)\/main\.ts/.exec(commandLine) ?? []
  return role ?? sandbox ?? (/postgres/.test(commandLine) ? 'postgres' : 'supervisor')
}

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

export type WorkerProcess = {
  /** Stops the worker until `goOn`. */
  holdUp(): void
  goOn(): void
  peakMemoryMegabytes(): Promise<number>
}

const KILOBYTES_PER_MEGABYTE = 1024

export async function findWorker(supervisorPid: number): Promise<WorkerProcess> {
  const pid = await pidOf('worker', supervisorPid)
  return {
    holdUp: () => void process.kill(pid, 'SIGSTOP'),
    goOn: () => void process.kill(pid, 'SIGCONT'),
    peakMemoryMegabytes: () => peakMemoryMegabytes(pid),
  }
}

/** Of a gateway or a worker. */
export async function pidOf(name: string, supervisorPid: number): Promise<number> {
  const found = (await startedBy(supervisorPid)).find((each) => each.name === name)
  if (found === undefined) {
    throw new Error(`No ${name} process found`)
  }
  return found.pid
}

/** The peak memory of a process so far. Linux records the peak; elsewhere the current size is used. */
async function peakMemoryMegabytes(pid: number): Promise<number> {
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / KILOBYTES_PER_MEGABYTE
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout) / KILOBYTES_PER_MEGABYTE
}

export async function gatewayPeakMemoryMegabytes(supervisorPid: number): Promise<number> {
  return await peakMemoryMegabytes(await pidOf('gateway', supervisorPid))
}
