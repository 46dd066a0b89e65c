/** Supervises one child process: waits until it is ready, restarts it when it dies, stops it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openLogFile, tailOf } from './log-file.ts'
import type { Program } from './programs.ts'

/** A supervised program. */
export type SupervisedProcess = {
  /** Resolves when the program has reported readiness; rejects when it ends before. */
  readonly ready: Promise<void>
  /** Stops it gracefully, and resolves when it has ended. */
  stop(): Promise<void>
  /** Kills it at once. */
  kill(): void
}

/** How a child process runs. */
export type SupervisedProcessSettings = {
  readonly program: Program
  /** Receives the program's output. */
  readonly logFile: string
  readonly say: (line: string) => void
  /** After this a program that is not ready is killed; two minutes unless given. */
  readonly readyMilliseconds?: number
}

/** On a laptop that is busy with other work, a start takes many times as long as usual. */
const READY_MILLISECONDS = 120_000
/** A gateway waits for responses of banks; a bank may take 30 seconds. */
const STOP_MILLISECONDS = 35_000
const FIRST_DELAY_MILLISECONDS = 250
const LONGEST_DELAY_MILLISECONDS = 10_000
/** A program that has run for this long has recovered: its next restart has no delay. */
const RECOVERED_MILLISECONDS = 30_000
const LOG_SIZE_MAX_BYTES = 20_000_000

/** Starts a program and restarts it until it is stopped. */
export function superviseChild(settings: SupervisedProcessSettings): SupervisedProcess {
  const stopping = new AbortController()
  const killing = new AbortController()
  const ready = Promise.withResolvers<void>()
  // A stop before readiness need not wait for readiness as well.
  ready.promise.catch(() => undefined)
  const finished = runUntilStopped(settings, { stopping: stopping.signal, killing: killing.signal, ready })
  return {
    ready: ready.promise,
    stop: async () => {
      stopping.abort()
      await finished
    },
    kill: () => {
      stopping.abort()
      killing.abort()
    },
  }
}

type ProcessLifecycle = {
  readonly stopping: AbortSignal
  readonly killing: AbortSignal
  readonly ready: PromiseWithResolvers<void>
}

async function runUntilStopped(settings: SupervisedProcessSettings, life: ProcessLifecycle): Promise<void> {
  const { program, say } = settings
  let delay = FIRST_DELAY_MILLISECONDS
  let wasReady = false
  life.ready.promise.then(
    () => {
      wasReady = true
    },
    () => undefined,
  )
  while (!life.stopping.aborted) {
    const began = performance.now()
    // One that the system could not start, for lack of memory for example, is started again like one that has died.
    const how = await runOnce(settings, life, wasReady).catch((error: Error) => error.message)
    if (life.stopping.aborted) {
      return
    }
    if (!wasReady) {
      life.ready.reject(
        new Error(`The ${program.name} ended before it was ready (${how}).\n${tailOf(settings.logFile)}`),
      )
      return
    }
    delay = performance.now() - began > RECOVERED_MILLISECONDS ? FIRST_DELAY_MILLISECONDS : delay
    say(`The ${program.name} ended (${how}); starting it again in ${delay / 1000} s. Its log: ${settings.logFile}`)
    await pause(delay, undefined, { signal: life.stopping }).catch(() => undefined)
    delay = Math.min(delay * 2, LONGEST_DELAY_MILLISECONDS)
  }
}

/** Runs one process from start to end; returns how it ended. */
async function runOnce(
  settings: SupervisedProcessSettings,
  life: ProcessLifecycle,
  wasReady: boolean,
): Promise<string> {
  const { readyMilliseconds = READY_MILLISECONDS } = settings
  const child = spawnProgram(settings)
  const timers: NodeJS.Timeout[] = []
  let isLate = false
  const kill = () => child.kill('SIGKILL')
  const stop = () => {
    child.kill('SIGTERM')
    timers.push(setTimeout(kill, STOP_MILLISECONDS))
  }
  life.stopping.addEventListener('abort', stop)
  life.killing.addEventListener('abort', kill)
  child.on('message', (message) => isReady(message) && life.ready.resolve())
  if (!wasReady) {
    const killLate = () => {
      isLate = true
      kill()
    }
    timers.push(setTimeout(killLate, readyMilliseconds))
    life.ready.promise.then(
      () => clearTimeout(timers[0]),
      () => undefined,
    )
  }
  try {
    return await new Promise((resolve, reject) => {
      const howItEnded = (code: number | null, signal: NodeJS.Signals | null) =>
        isLate ? `killed after ${readyMilliseconds / 1000} s` : (signal ?? `code ${code}`)
      child.once('exit', (code, signal) => resolve(howItEnded(code, signal))).once('error', reject)
    })
  } finally {
    timers.forEach(clearTimeout)
    life.stopping.removeEventListener('abort', stop)
    life.killing.removeEventListener('abort', kill)
  }
}

/** Compiled code is cached on disk: a program is ready sooner and takes some megabytes less. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))

/** The child leads its own process group: Ctrl-C reaches only the supervisor, which stops everything in order. */
function spawnProgram({ program, logFile }: SupervisedProcessSettings): ChildProcess {
  const log = openLogFile(logFile, LOG_SIZE_MAX_BYTES)
  try {
    return spawn(process.execPath, ['--expose-gc', ...(program.runtime ?? []), program.file, ...program.options], {
      env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...program.environment },
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    })
  } finally {
    closeSync(log)
  }
}

function isReady(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'ready' in message && message.ready === true
}
