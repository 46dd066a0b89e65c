/** Runs a whole Havn as `npm start` has it: processes of its own, a real PostgreSQL that flushes, in an empty folder. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeEmbeddedPostgres } from '../../../launcher/embedded-postgres/embedded-postgres.ts'
import { runningProcesses, signal, waitUntil } from '../../../launcher/processes.ts'
import { childrenOf } from './child-processes.ts'
import { freePorts } from './free-ports.ts'

/** What a command printed, and how it ended. */
export type Typed = { readonly code: number; readonly out: string; readonly error: string }

/** A Havn of processes. */
export type HavnProcesses = {
  readonly url: string
  /** The sandbox bank's pages, and its control API. */
  readonly pagesUrl: string
  start(): Promise<void>
  /** Kills gateway and worker at once; the supervisor starts them again. Settles when they serve. */
  killGateways(): Promise<void>
  /** Kills every process, PostgreSQL included. */
  killEverything(): Promise<void>
  /** Types a command of `havn` on the same data folder. */
  type(...words: string[]): Promise<Typed>
  close(): Promise<void>
}

const HAVN = fileURLToPath(new URL('../../../cli/havn.ts', import.meta.url))
const LAUNCHER = fileURLToPath(new URL('../../../cli/havn', import.meta.url))
const READY_MILLISECONDS = 30_000

/** Makes the folder and finds ports; nothing runs yet. */
export async function havnProcesses(settings: Readonly<Record<string, string>>): Promise<HavnProcesses> {
  const folder = await mkdtemp(join(tmpdir(), 'havn-processes-'))
  await chmod(folder, 0o755)
  const [port, bankPort, xs2aPort, identityPort, fxPort] = await freePorts(5)
  const environment = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    HAVN_DATA_DIR: folder,
    HAVN_PORT: String(port),
    HAVN_SANDBOX_BANK_PORT: String(bankPort),
    HAVN_SANDBOX_XS2A_PORT: String(xs2aPort),
    HAVN_SANDBOX_IDENTITY_PORT: String(identityPort),
    HAVN_SANDBOX_FX_PORT: String(fxPort),
    ...settings,
  }
  const url = `http://127.0.0.1:${port}`
  let supervisor: ChildProcess | undefined
  return {
    url,
    pagesUrl: `http://127.0.0.1:${bankPort}`,
    start: async () => {
      supervisor = await startSupervisor(environment)
    },
    killGateways: async () => {
      const killed = (await partsOf(supervisor)).filter(({ commandLine }) => commandLine.includes('gateway/main.ts'))
      for (const { pid } of killed) {
        signal(pid, 'SIGKILL')
      }
      await untilServed(url, supervisor, new Set(killed.map(({ pid }) => pid)))
    },
    killEverything: async () => {
      const parts = await partsOf(supervisor)
      const postgres = (await runningProcesses()).filter(({ commandLine }) => commandLine.includes(folder))
      await end(supervisor, 'SIGKILL')
      for (const { pid } of [...parts, ...postgres]) {
        signal(pid, 'SIGKILL')
      }
    },
    type: (...words) => typed(words, environment),
    close: async () => {
      await end(supervisor, 'SIGTERM')
      await removeEmbeddedPostgres(join(folder, 'postgres'))
      await rm(folder, { recursive: true })
    },
  }
}

async function startSupervisor(environment: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, [HAVN, 'start'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      said += part
    })
  }
  await waitUntil(async () => said.includes('Havn is ready') || child.exitCode !== null, READY_MILLISECONDS)
  if (!said.includes('Havn is ready')) {
    await end(child, 'SIGTERM')
    throw new Error(`Havn did not start:\n${said}`)
  }
  return child
}

async function partsOf(supervisor: ChildProcess | undefined) {
  return supervisor?.pid === undefined ? [] : await childrenOf(supervisor.pid)
}

async function untilServed(
  url: string,
  supervisor: ChildProcess | undefined,
  killed: ReadonlySet<number>,
): Promise<void> {
  const isServed = async () => {
    const parts = await partsOf(supervisor)
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    return answer?.status === 200 && !parts.some(({ pid }) => killed.has(pid))
  }
  if (!(await waitUntil(isServed, READY_MILLISECONDS))) {
    throw new Error('The gateway that was killed did not come back')
  }
}

async function end(child: ChildProcess | undefined, how: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill(how)
    await ended
  }
}

function typed(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Typed> {
  return new Promise((resolve) => {
    const child = execFile(LAUNCHER, words, { env }, (_error, out, error) => {
      resolve({ code: child.exitCode ?? 1, out, error })
    })
  })
}
