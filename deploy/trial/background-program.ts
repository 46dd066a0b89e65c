/** Runs another program until it is stopped, and keeps what it prints for when it fails. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** A program that runs. */
export type BackgroundProgram = {
  readonly command: string
  readonly pid: number
  isRunning(): boolean
  /** What it has printed so far. */
  printed(): string
  /** Sends the signal and resolves with the exit code; null when a signal ended it. */
  stop(): Promise<number | null>
}

const READY_MILLISECONDS_MAX = 60_000
const POLL_MILLISECONDS = 50
const PRINTED_CHARACTERS_MAX = 20_000

/** `environment` replaces that of this process; the signal is the one that stops the program. */
export function startProgram(
  [program, ...options]: readonly [string, ...string[]],
  environment: NodeJS.ProcessEnv = process.env,
  signal: NodeJS.Signals = 'SIGTERM',
): BackgroundProgram {
  const child = spawn(program, options, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  const append = (text: string) => {
    printed = `${printed}${text}`.slice(-PRINTED_CHARACTERS_MAX)
  }
  child.stdout.setEncoding('utf8').on('data', append)
  child.stderr.setEncoding('utf8').on('data', append)
  child.on('error', (error) => append(String(error)))
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null
  return {
    command: [program, ...options].join(' '),
    pid: child.pid ?? 0,
    isRunning,
    printed: () => printed,
    stop: async () => {
      if (isRunning()) {
        const exited = once(child, 'exit')
        child.kill(signal)
        await exited
      }
      return child.exitCode
    },
  }
}

/** Resolves when `isReady` does. Throws what the program printed if it ends before, or takes too long. */
export async function untilReady(program: BackgroundProgram, isReady: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + READY_MILLISECONDS_MAX
  while (program.isRunning() && performance.now() < deadline) {
    if (await isReady()) {
      return
    }
    await pause(POLL_MILLISECONDS)
  }
  await program.stop()
  throw new Error(`${program.command} is not ready:\n${program.printed()}`)
}
