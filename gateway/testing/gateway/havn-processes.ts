/** Runs Havn as `npm start` does: separate processes and a PostgreSQL with fsync, in an empty folder. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findDatabase } from '../../../cli/operator/operator-context.ts'
import { removeEmbeddedPostgres } from '../../../launcher/embedded-postgres/embedded-postgres.ts'
import { listProcesses, sendSignal, waitUntil } from '../../../launcher/processes.ts'
import { operatorToken } from '../console/operator-token.ts'
import { type BackgroundProgram, isServed } from './background-program.ts'
import { childProcesses } from './child-processes.ts'
import { type CommandResult, programEnvironment, runHavnCommand } from './havn-command.ts'
import { freeStartPorts, startHavn } from './start-havn.ts'

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

const READY_MILLISECONDS = 60_000

/** Creates the folder and finds ports; starts nothing. */
export async function havnProcesses(settings: Readonly<Record<string, string>>): Promise<HavnProcesses> {
  const folder = await mkdtemp(join(tmpdir(), 'havn-processes-'))
  await chmod(folder, 0o755)
  const { settings: ports, url, bankUrl } = await freeStartPorts()
  const environment = { ...programEnvironment(), HAVN_DATA_DIR: folder, ...ports, ...settings }
  let started: BackgroundProgram | undefined
  const killRestarted = async (command: string) => {
    const killed = (await partsOf(started)).filter(({ commandLine }) => commandLine.includes(command))
    for (const { pid } of killed) {
      sendSignal(pid, 'SIGKILL')
    }
    await untilServed(url, started, new Set(killed.map(({ pid }) => pid)))
  }
  return {
    url,
    pagesUrl: bankUrl,
    start: async () => {
      started = await startHavn(environment)
    },
    killGatewayAndWorker: () => killRestarted('launcher/roles/main.ts'),
    killEverything: async () => {
      const parts = await partsOf(started)
      const postgres = (await listProcesses()).filter(({ commandLine }) => commandLine.includes(folder))
      // All at once, the last started first: a gateway that outlives its bank for a moment still answers.
      for (const { pid } of parts.toReversed()) {
        sendSignal(pid, 'SIGKILL')
      }
      const ended = started?.stop('SIGKILL')
      for (const { pid } of postgres) {
        sendSignal(pid, 'SIGKILL')
      }
      await ended
    },
    type: (...words) => runHavnCommand(words, environment),
    typeAs: async (operator, ...words) => {
      const token = await operatorToken(await findDatabase(environment), operator)
      return await runHavnCommand(words, { ...environment, HAVN_OPERATOR_TOKEN: token })
    },
    close: async () => {
      await started?.stop()
      await removeEmbeddedPostgres(join(folder, 'postgres'))
      await rm(folder, { recursive: true })
    },
  }
}

async function partsOf(supervisor: BackgroundProgram | undefined) {
  return supervisor === undefined ? [] : await childProcesses(supervisor.pid)
}

async function untilServed(
  url: string,
  supervisor: BackgroundProgram | undefined,
  killed: ReadonlySet<number>,
): Promise<void> {
  const isBack = async () => {
    const parts = await partsOf(supervisor)
    return (await isServed(`${url}/readyz`)) && !parts.some(({ pid }) => killed.has(pid))
  }
  if (!(await waitUntil(isBack, READY_MILLISECONDS))) {
    throw new Error('The killed gateway was not restarted')
  }
}
