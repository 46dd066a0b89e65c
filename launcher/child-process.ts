/** Keeps one program running as a child process: waits until it is ready, starts it again when it dies, stops it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Program } from './programs.ts'

/** A program that is kept running. */
export type Child = {
  /** Settles when the program has said that it is ready; fails when it ends before. */
  readonly ready: Promise<void>
  /** Lets it finish what is under way, and settles when it has ended. */
  stop(): Promise<void>
  /** Ends it now, finished or not. */
  kill(): void
}

/** How a child is run. */
export type ChildSettings = {
  readonly program: Program
  /** Takes what the program prints. */
  readonly logFile: string
  readonly say: (line: string) => void
}

const READY_MILLISECONDS = 30_000
/** A gateway waits for banks that are about to answer; a bank may take 30 seconds. */
const STOP_MILLISECONDS = 35_000
const FIRST_DELAY_MILLISECONDS = 250
const LONGEST_DELAY_MILLISECONDS = 10_000
/** Who has run for this long has recovered: its next restart is quick again. */
const RECOVERED_MILLISECONDS = 30_000
const LOG_SIZE_MAX_BYTES = 20_000_000
const LOG_TAIL_CHARACTERS = 2_000

/** Starts a program and keeps it running until it is told to stop. */
export function keepRunning(settings: ChildSettings): Child {
  const stopping = new AbortController()
  const killing = new AbortController()
  const ready = Promise.withResolvers<void>()
  // Whoever stops us before we are ready need not wait for readiness as well.
  ready.promise.catch(() => undefined)
  const finished = live(settings, { stopping: stopping.signal, killing: killing.signal, ready })
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

type Life = {
  readonly stopping: AbortSignal
  readonly killing: AbortSignal
  readonly ready: PromiseWithResolvers<void>
}

async function live(settings: ChildSettings, life: Life): Promise<void> {
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
    const how = await runOnce(settings, life, wasReady)
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

/** One process from start to end; says how it ended. */
async function runOnce(settings: ChildSettings, life: Life, wasReady: boolean): Promise<string> {
  const child = spawnProgram(settings)
  const timers: NodeJS.Timeout[] = []
  const kill = () => child.kill('SIGKILL')
  const stop = () => {
    child.kill('SIGTERM')
    timers.push(setTimeout(kill, STOP_MILLISECONDS))
  }
  life.stopping.addEventListener('abort', stop)
  life.killing.addEventListener('abort', kill)
  child.on('message', (message) => isReady(message) && life.ready.resolve())
  if (!wasReady) {
    timers.push(setTimeout(kill, READY_MILLISECONDS))
    life.ready.promise.then(
      () => clearTimeout(timers[0]),
      () => undefined,
    )
  }
  try {
    return await new Promise((resolve, reject) => {
      child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`)).once('error', reject)
    })
  } finally {
    timers.forEach(clearTimeout)
    life.stopping.removeEventListener('abort', stop)
    life.killing.removeEventListener('abort', kill)
  }
}

/** What was compiled once is not compiled again: a program is ready sooner and takes some megabytes less. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))

/** The child leads its own process group: Ctrl-C reaches only the supervisor, which stops everything in order. */
function spawnProgram({ program, logFile }: ChildSettings): ChildProcess {
  const log = openLogFile(logFile)
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

function openLogFile(file: string): number {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_SIZE_MAX_BYTES) {
    renameSync(file, `${file}.1`)
  }
  return openSync(file, 'a', 0o600)
}

function tailOf(file: string): string {
  return readFileSync(file, 'utf8').slice(-LOG_TAIL_CHARACTERS)
}
