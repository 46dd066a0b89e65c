/** Runs a trial in namespaces of its own: everything that it started ends with it, also when it is interrupted or killed. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** What is alive in a namespace of processes ends with its first one; mounts end with the last one. */
const NAMESPACES = ['unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
/** The signal that unshare gets when this process is killed itself, and can end nothing any more. */
const WITH_PARENT = ['setpriv', '--pdeathsig', 'KILL']
const INTERRUPTED = 130

/** Runs a trial with a folder of its own, which is deleted at the end, and sets the exit code. */
export async function inTrialFolder(
  prefix: string,
  runTrial: (folder: string) => Promise<number>,
  { isKept = false } = {},
): Promise<void> {
  process.env['PATH'] = `${process.env['PATH']}:/usr/sbin:/sbin`
  const folder = await mkdtemp(join(tmpdir(), prefix))
  // Programs of the trial run as other users.
  await chmod(folder, 0o755)
  try {
    process.exitCode = await runTrial(folder)
  } finally {
    if (isKept) {
      console.log(`Its folder is ${folder}`)
    } else {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/**
 * Resolves with the exit code of the program. SIGINT and SIGTERM end it at once, with all that it started. Where
 * namespaces are not permitted it runs without, and an interrupted one may leave programs running.
 */
export async function runContained(program: string, options: readonly string[]): Promise<number> {
  const around = await namespaces()
  if (around.length === 0) {
    console.log('Namespaces are not permitted here: a trial that is interrupted leaves programs running')
  }
  const [first = '', ...rest] = [...around, program, ...options]
  let child: ChildProcess | undefined
  let isInterrupted = false
  const interrupt = () => {
    isInterrupted = true
    // In a namespace the first process ignores other signals; outside, a program may have something to stop.
    child?.kill(around.length > 0 ? 'SIGKILL' : 'SIGTERM')
  }
  // Before it starts: what it prints first may be the reason for a signal.
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  try {
    child = spawn(first, rest, { stdio: 'inherit' })
    const code = await exitCodeOf(child)
    return isInterrupted ? INTERRUPTED : code
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

async function exitCodeOf(child: ChildProcess): Promise<number> {
  const [code] = await once(child, 'close')
  return typeof code === 'number' ? code : 1
}

/** What starts a program in namespaces; empty where the machine does not permit them. */
export async function namespaces(): Promise<readonly string[]> {
  const around = [...WITH_PARENT, ...NAMESPACES]
  const [first = '', ...rest] = around
  return await run(first, [...rest, 'true']).then(
    () => around,
    () => [],
  )
}
