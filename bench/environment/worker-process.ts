/** Holds up the worker of a running Havn, lets it go on, and watches how much memory it takes. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { childrenOf } from '../../gateway/testing/gateway/child-processes.ts'

export type WorkerProcess = {
  /** It does nothing until `goOn`. */
  holdUp(): void
  goOn(): void
  /** The most memory that it has held at once so far, in megabytes. */
  peakMegabytes(): Promise<number>
}

const KILOBYTES_PER_MEGABYTE = 1024

export async function findWorker(supervisorPid: number): Promise<WorkerProcess> {
  const worker = (await childrenOf(supervisorPid)).find(({ commandLine }) =>
    /gateway\/main\.ts worker/.test(commandLine),
  )
  if (worker === undefined) {
    throw new Error('There is no worker')
  }
  const { pid } = worker
  return {
    holdUp: () => void process.kill(pid, 'SIGSTOP'),
    goOn: () => void process.kill(pid, 'SIGCONT'),
    peakMegabytes: () => peakMegabytes(pid),
  }
}

/** The most memory that a process has held at once so far. Linux remembers the peak; elsewhere the present size has to do. */
export async function peakMegabytes(pid: number): Promise<number> {
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / KILOBYTES_PER_MEGABYTE
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout) / KILOBYTES_PER_MEGABYTE
}
