/** Runs a worker as a separate process with the database of a test gateway, so that it can be killed. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../config/config.ts'

export type WorkerProcess = {
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** Stops it gracefully. */
  stop(): Promise<void>
  /** Pauses or continues it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
}

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))

/** Starts a worker and resolves when it is ready. */
export async function startWorkerProcess(
  { databaseUrl, masterKeyFile }: Config,
  settings: Readonly<Record<string, string>>,
): Promise<WorkerProcess> {
  const child = fork(MAIN, ['worker'], {
    env: {
      ...process.env,
      HAVN_MODE: 'sandbox',
      DATABASE_URL: databaseUrl,
      HAVN_MASTER_KEY_FILE: masterKeyFile,
      HAVN_LOG_LEVEL: 'error',
      ...settings,
    },
    execArgv: [],
  })
  const ended = once(child, 'exit')
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    await ended
  }
  const [ready] = await Promise.race([once(child, 'message'), ended])
  if (typeof ready !== 'object') {
    throw new Error(`The worker ended with ${String(ready)} before it was ready`)
  }
  return {
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    signal: (signal) => void child.kill(signal),
  }
}
