/** Finds processes of this machine by their command line, so that only those that are ours are ever signalled. */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

/** A process and what it was started as, or what it calls itself. */
export type RunningProcess = { readonly pid: number; readonly commandLine: string }

/** How often a condition is looked at again while waiting for it. */
const LOOK_AGAIN_MILLISECONDS = 20
/** Counted from the field behind the program's name (proc(5), field 22). */
const START_TIME_FIELD = 19
const run = promisify(execFile)

/** Every live process that this user may see; one that has ended but was not reaped has no command line and is left out. */
export async function runningProcesses(): Promise<readonly RunningProcess[]> {
  const all = process.platform === 'linux' ? await readProc() : await askPs()
  return all.filter(({ commandLine }) => commandLine !== '')
}

/** The command line of one process, or undefined when there is no such process (any more). */
export async function commandLineOf(pid: number): Promise<string | undefined> {
  return (await runningProcesses()).find((candidate) => candidate.pid === pid)?.commandLine
}

/** A mark of when a process began, which tells it from a later one with the same id; undefined when there is none. */
export async function startedAt(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // The program's name is in brackets and may hold blanks; the start is field 22, the 20th behind the name.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const isGone = text === '' || fields[0] === 'Z' || fields[0] === 'X'
    return isGone ? undefined : fields[START_TIME_FIELD]
  }
  const text = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return text.stdout.trim() || undefined
}

/** Signals a process; one that ended meanwhile is no mistake. */
export function signal(pid: number, name: NodeJS.Signals): void {
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
  const end = performance.now() + limitMilliseconds
  while (!(await holds())) {
    if (performance.now() > end) {
      return false
    }
    await pause(LOOK_AGAIN_MILLISECONDS)
  }
  return true
}

async function readProc(): Promise<readonly RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return await Promise.all(
    pids.map(async (pid) => {
      // The process may end between the listing and the reading.
      const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return { pid: Number(pid), commandLine: text.replaceAll('\0', ' ').trim() }
    }),
  )
}

async function askPs(): Promise<readonly RunningProcess[]> {
  const { stdout } = await run('ps', ['-axww', '-o', 'pid=,command='], { maxBuffer: 16 * 1024 * 1024 })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, commandLine = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? []
    return pid === undefined ? [] : [{ pid: Number(pid), commandLine: commandLine.trim() }]
  })
}
