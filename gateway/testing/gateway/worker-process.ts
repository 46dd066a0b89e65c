/** Runs a worker as a real process on the database of a gateway in a test, so that it can be killed. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../config/config.ts'

export type WorkerProcess = {
  /** Ends it as a machine that loses power would. */
  kill(): Promise<void>
  /** Lets it finish what is under way. */
  stop(): Promise<void>
}

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))

/** Starts one, and settles when it is at work. */
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
  const end = async (how: 'SIGKILL' | 'SIGTERM') => {
    child.kill(how)
    await ended
  }
  const [ready] = await Promise.race([once(child, 'message'), ended])
  if (typeof ready !== 'object') {
    throw new Error(`The worker ended with ${String(ready)} before it was at work`)
  }
  return { kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}
