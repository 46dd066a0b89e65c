/** Pauses and resumes the worker of a running Havn, and reads its peak memory. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { childProcesses } from '../../gateway/testing/gateway/child-processes.ts'

export type WorkerProcess = {
  /** Stops the worker until `goOn`. */
  holdUp(): void
  goOn(): void
  /** Its peak memory so far, in megabytes. */
  peakMemoryMegabytes(): Promise<number>
}

const KILOBYTES_PER_MEGABYTE = 1024

export async function findWorker(supervisorPid: number): Promise<WorkerProcess> {
  const worker = (await childProcesses(supervisorPid)).find(({ commandLine }) =>
    /gateway\/main\.ts worker/.test(commandLine),
  )
  if (worker === undefined) {
    throw new Error('No worker process found')
  }
  const { pid } = worker
  return {
    holdUp: () => void process.kill(pid, 'SIGSTOP'),
    goOn: () => void process.kill(pid, 'SIGCONT'),
    peakMemoryMegabytes: () => peakMemoryMegabytes(pid),
  }
}

/** The peak memory of a process so far. Linux records the peak; elsewhere the current size is used. */
export async function peakMemoryMegabytes(pid: number): Promise<number> {
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / KILOBYTES_PER_MEGABYTE
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout) / KILOBYTES_PER_MEGABYTE
}
