/** Runs a worker or a gateway as a separate process with the database of a test gateway. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ProcessRole } from '../../../launcher/roles/start-process-role.ts'
import type { Config } from '../../config/config.ts'

export type WorkerProcess = {
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** Stops it gracefully. */
  stop(): Promise<void>
  /** Pauses or continues it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
}

/** Options of a process: its settings, which replace those of the test gateway, and the options of its runtime. */
type ProcessOptions = { readonly settings: Readonly<Record<string, string>>; readonly runtime?: readonly string[] }

const MAIN = fileURLToPath(new URL('../../../launcher/roles/main.ts', import.meta.url))

/** Starts a worker and resolves when it is ready. */
export async function startWorkerProcess(
  config: Config,
  settings: Readonly<Record<string, string>>,
): Promise<WorkerProcess> {
  const child = await startProcess('worker', config, { settings })
  return {
    kill: () => endProcess(child, 'SIGKILL'),
    stop: () => endProcess(child, 'SIGTERM'),
    signal: (signal) => void child.kill(signal),
  }
}

/** Starts a process of this role and resolves when it is ready. */
export async function startProcess(
  role: ProcessRole,
  { databaseUrl, masterKeyFile }: Config,
  { settings, runtime = [] }: ProcessOptions,
): Promise<ChildProcess> {
  const child = fork(MAIN, [role], {
    env: {
      ...process.env,
      HAVN_MODE: 'sandbox',
      DATABASE_URL: databaseUrl,
      HAVN_MASTER_KEY_FILE: masterKeyFile,
      HAVN_LOG_LEVEL: 'error',
      ...settings,
    },
    execArgv: [...runtime],
  })
  const [ready] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (typeof ready !== 'object') {
    throw new Error(`The ${role} ended with ${String(ready)} before it was ready`)
  }
  return child
}

/** Sends the signal and resolves when the process has ended, at once when it has already. */
export async function endProcess(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
}
