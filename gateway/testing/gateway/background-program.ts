/** Runs another program until it is stopped, and keeps what it prints for when it fails. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { waitUntil } from '../../../launcher/processes.ts'

export type BackgroundProgram = {
  readonly command: string
  readonly pid: number
  isRunning(): boolean
  printed(): string
  /** Resolves with the exit code; null when a signal ended it. The signal goes to the program, or to a part of it. */
  stop(signal?: NodeJS.Signals, pid?: number): Promise<number | null>
}

type ProgramOptions = {
  /** Replaces that of this process. */
  readonly environment?: NodeJS.ProcessEnv
  /** Stops the program. */
  readonly signal?: NodeJS.Signals
  /** In a process group of its own, which Ctrl-C does not reach. */
  readonly detached?: boolean
  /** A file to which the program appends what it prints. */
  readonly log?: string
}

const READY_MILLISECONDS_MAX = 60_000
const SHOWN_CHARACTERS_MAX = 20_000

export function startProgram(
  [program = '', ...words]: readonly string[],
  { environment = process.env, signal: usual = 'SIGTERM', detached = false, log }: ProgramOptions = {},
): BackgroundProgram {
  const output = log === undefined ? 'pipe' : openSync(log, 'a')
  const child = spawn(program, words, { env: environment, detached, stdio: ['ignore', output, output] })
  const ended = once(child, 'exit')
  let text = ''
  const append = (part: string) => {
    text += part
  }
  child.stdout?.setEncoding('utf8').on('data', append)
  child.stderr?.setEncoding('utf8').on('data', append)
  // One that cannot be spawned ends so.
  child.on('error', (error) => append(String(error)))
  ended.catch(() => undefined)
  return {
    command: [program, ...words].join(' '),
    pid: child.pid ?? 0,
    isRunning: () => isRunning(child),
    printed: () => `${log === undefined ? '' : readFileSync(log, 'utf8')}${text}`,
    stop: async (signal = usual, pid = child.pid) => {
      if (isRunning(child) && pid !== undefined) {
        process.kill(pid, signal)
        await ended
      }
      return child.exitCode
    },
  }
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null
}

/** Resolves when `isReady` does. Throws what the program printed if it ends before, or takes too long. */
export async function untilReady(
  program: BackgroundProgram,
  isReady: () => Promise<boolean>,
  milliseconds = READY_MILLISECONDS_MAX,
): Promise<void> {
  let ready = false
  await waitUntil(async () => {
    ready = program.isRunning() && (await isReady())
    return ready || !program.isRunning()
  }, milliseconds)
  if (!ready) {
    await program.stop()
    throw new Error(`${program.command} is not ready:\n${program.printed().slice(-SHOWN_CHARACTERS_MAX)}`)
  }
}

/** Whether something answers at a URL with a status of success. */
export async function isServed(url: string): Promise<boolean> {
  return (await fetch(url).catch(() => undefined))?.ok === true
}
