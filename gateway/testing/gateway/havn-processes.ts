/** Runs Havn as `npm start` does: separate processes and a PostgreSQL with fsync, in an empty folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findDatabase } from '../../../cli/operator/operator-context.ts'
import { removeEmbeddedPostgres } from '../../../launcher/embedded-postgres/embedded-postgres.ts'
import { listProcesses, sendSignal, waitUntil } from '../../../launcher/processes.ts'
import { operatorToken } from '../console/operator-token.ts'
import { childProcesses } from './child-processes.ts'
import { freeBankPorts, freePorts } from './free-ports.ts'
import { type CommandResult, programEnvironment, runHavnCommand } from './havn-command.ts'

/** A running Havn. */
export type HavnProcesses = {
  readonly url: string
  /** Base URL of the sandbox bank's pages and control API. */
  readonly pagesUrl: string
  start(): Promise<void>
  /** Kills gateway and worker; the supervisor restarts them. Resolves when the gateway serves. */
  killGatewayAndWorker(): Promise<void>
  /** Kills every process, including PostgreSQL. */
  killEverything(): Promise<void>
  /** Runs a `havn` command with the same data folder. */
  type(...words: string[]): Promise<CommandResult>
  /** The same as an operator who has signed in. */
  typeAs(operator: string, ...words: string[]): Promise<CommandResult>
  close(): Promise<void>
}

type Supervisor = { readonly process: ChildProcess }

const HAVN = fileURLToPath(new URL('../../../cli/havn.ts', import.meta.url))
const READY_MILLISECONDS = 60_000

/** Creates the folder and finds ports; starts nothing. */
export async function havnProcesses(settings: Readonly<Record<string, string>>): Promise<HavnProcesses> {
  const folder = await mkdtemp(join(tmpdir(), 'havn-processes-'))
  await chmod(folder, 0o755)
  const [port, bankPort, identityPort, identityControlPort, fxPort, fxControlPort, inboxPort] = await freePorts(7)
  const environment = {
    ...programEnvironment(),
    HAVN_DATA_DIR: folder,
    HAVN_PORT: String(port),
    HAVN_SANDBOX_BANK_PORT: String(bankPort),
    HAVN_SANDBOX_XS2A_PORT: String(await freeBankPorts()),
    HAVN_SANDBOX_IDENTITY_PORT: String(identityPort),
    HAVN_SANDBOX_IDENTITY_CONTROL_PORT: String(identityControlPort),
    HAVN_SANDBOX_FX_PORT: String(fxPort),
    HAVN_SANDBOX_FX_CONTROL_PORT: String(fxControlPort),
    HAVN_SANDBOX_INBOX_PORT: String(inboxPort),
    ...settings,
  }
  const url = `http://127.0.0.1:${port}`
  let started: Supervisor | undefined
  const killRestarted = async (command: string) => {
    const killed = (await partsOf(started)).filter(({ commandLine }) => commandLine.includes(command))
    for (const { pid } of killed) {
      sendSignal(pid, 'SIGKILL')
    }
    await untilServed(url, started, new Set(killed.map(({ pid }) => pid)))
  }
  return {
    url,
    pagesUrl: `http://127.0.0.1:${bankPort}`,
    start: async () => {
      started = await startSupervisor(environment)
    },
    killGatewayAndWorker: () => killRestarted('launcher/roles/main.ts'),
    killEverything: async () => {
      const parts = await partsOf(started)
      const postgres = (await listProcesses()).filter(({ commandLine }) => commandLine.includes(folder))
      // All at once, the last started first: a gateway that outlives its bank for a moment still answers.
      for (const { pid } of parts.toReversed()) {
        sendSignal(pid, 'SIGKILL')
      }
      started?.process.kill('SIGKILL')
      for (const { pid } of postgres) {
        sendSignal(pid, 'SIGKILL')
      }
      await end(started?.process, 'SIGKILL')
    },
    type: (...words) => runHavnCommand(words, environment),
    typeAs: async (operator, ...words) => {
      const token = await operatorToken(await findDatabase(environment), operator)
      return await runHavnCommand(words, { ...environment, HAVN_OPERATOR_TOKEN: token })
    },
    close: async () => {
      await end(started?.process, 'SIGTERM')
      await removeEmbeddedPostgres(join(folder, 'postgres'))
      await rm(folder, { recursive: true })
    },
  }
}

async function startSupervisor(environment: NodeJS.ProcessEnv): Promise<Supervisor> {
  const child = spawn(process.execPath, [HAVN, 'start'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let reported = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      reported += part
    })
  }
  await waitUntil(async () => reported.includes('Havn is ready') || child.exitCode !== null, READY_MILLISECONDS)
  if (!reported.includes('Havn is ready')) {
    await end(child, 'SIGTERM')
    throw new Error(`Havn did not start:\n${reported}`)
  }
  return { process: child }
}

async function partsOf(supervisor: Supervisor | undefined) {
  return supervisor?.process.pid === undefined ? [] : await childProcesses(supervisor.process.pid)
}

async function untilServed(
  url: string,
  supervisor: Supervisor | undefined,
  killed: ReadonlySet<number>,
): Promise<void> {
  const isServed = async () => {
    const parts = await partsOf(supervisor)
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    return answer?.status === 200 && !parts.some(({ pid }) => killed.has(pid))
  }
  if (!(await waitUntil(isServed, READY_MILLISECONDS))) {
    throw new Error('The killed gateway was not restarted')
  }
}

async function end(child: ChildProcess | undefined, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
}
