/** Finds processes of this machine by their command line, so that only our own are ever signalled. */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { waitUntil as readUntil } from '../gateway/platform/wait-until.ts'

/** A process and its command line or title. */
export type RunningProcess = { readonly pid: number; readonly commandLine: string }

/** The polling interval of conditions. */
const POLL_EVERY_MILLISECONDS = 50
/** Counted from the field after the program's name (proc(5), field 22). */
const START_TIME_FIELD = 19
const run = promisify(execFile)

/** Every live process that is visible to this user; zombies have no command line and are left out. */
export async function listProcesses(): Promise<readonly RunningProcess[]> {
  const all = process.platform === 'linux' ? await listByProcfs() : await listByPs()
  return all.filter(({ commandLine }) => commandLine !== '')
}

/** The command line of one process, or undefined when it does not exist (any more). */
export async function commandLineOf(pid: number): Promise<string | undefined> {
  return (await listProcesses()).find((candidate) => candidate.pid === pid)?.commandLine
}

/**
 * The start time of a process, which distinguishes it from a later one with the same id; undefined when it does not
 * exist.
 */
export async function startedAt(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // The program's name is in brackets and may contain blanks; the start is field 22, the 20th after the name.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const isGone = text === '' || fields[0] === 'Z' || fields[0] === 'X'
    return isGone ? undefined : fields[START_TIME_FIELD]
  }
  const text = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return text.stdout.trim() || undefined
}

/** Signals a process; one that has ended meanwhile is ignored. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) {
      throw error
    }
  }
}

/** Waits until a condition holds; false when it did not within the limit. */
export async function waitUntil(holds: () => Promise<boolean>, limitMilliseconds: number): Promise<boolean> {
  const waiting = { withinMilliseconds: limitMilliseconds, everyMilliseconds: POLL_EVERY_MILLISECONDS }
  return await readUntil(holds, (isMet) => isMet, waiting)
}

async function listByProcfs(): Promise<readonly RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return await Promise.all(
    pids.map(async (pid) => {
      // The process may end between the listing and the reading.
      const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return { pid: Number(pid), commandLine: text.replaceAll('\0', ' ').trim() }
    }),
  )
}

async function listByPs(): Promise<readonly RunningProcess[]> {
  const { stdout } = await run('ps', ['-axww', '-o', 'pid=,command='], { maxBuffer: 16 * 1024 * 1024 })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, commandLine = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? []
    return pid === undefined ? [] : [{ pid: Number(pid), commandLine: commandLine.trim() }]
  })
}
