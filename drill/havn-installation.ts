/** Runs the programs of a drill's installation: sandbox banks, gateways and workers, with their logs in files. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { waitUntil } from '../launcher/processes.ts'
import { runProgram } from '../setup/clients/run-program.ts'
import { ROOT } from '../setup/source-files.ts'

/** Everything that the programs have in common. */
export type InstallationSettings = {
  readonly folder: string
  readonly databaseUrl: string
  readonly bankDatabaseUrl: string
  readonly masterKeyFile: string
  /** PEM file of the authority of the receiver of webhooks. */
  readonly webhookAuthorityFile: string
  readonly ports: { readonly gateway: number; readonly worker: number; readonly pages: number; readonly xs2a: number }
  /** Environment variables of gateways, workers and commands that differ from those of a drill. */
  readonly changed?: Readonly<Record<string, string>>
}

export type RunningProgram = { stop(): Promise<unknown> }

/** A program that was started as a process of its own. */
export type StartedProgram = {
  isRunning(): boolean
  /** Ends it with a signal, by default one to drain; the exit code is null when the signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** A program, and where its output goes and how it shows that it is ready. */
type ProgramToStart = {
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly log: string
  /** A URL that it answers with 200 from then on. */
  readonly ready: string
}

const READY_MILLISECONDS = 60_000
/** How much of the log of a program that did not start is shown. */
const LOG_CHARACTERS = 2_000
const HAVN = join(ROOT, 'cli', 'havn.ts')
const MAIN = join(ROOT, 'gateway', 'main.ts')
const BANK = fileURLToPath(new URL('../sandbox/bank/main.ts', import.meta.url))

export const urlOf = (port: number): string => `http://127.0.0.1:${port}`

/** The environment of gateway, worker and commands. */
export function environmentOf(settings: InstallationSettings): Readonly<Record<string, string>> {
  const { ports } = settings
  return {
    HAVN_MODE: 'sandbox',
    HAVN_DEMO: '1',
    DATABASE_URL: settings.databaseUrl,
    HAVN_MASTER_KEY_FILE: settings.masterKeyFile,
    HAVN_PORT: String(ports.gateway),
    HAVN_WORKER_PORT: String(ports.worker),
    HAVN_SANDBOX_BANK_URL: urlOf(ports.pages),
    HAVN_SANDBOX_XS2A_URL: urlOf(ports.xs2a),
    HAVN_REQUESTS_PER_SECOND: '1000',
    HAVN_TOKEN_REQUESTS_PER_MINUTE: '1000',
    HAVN_WEBHOOK_CA_FILE: settings.webhookAuthorityFile,
    HAVN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...settings.changed,
  }
}

/** The log file of a program. */
export const logOf = ({ folder }: InstallationSettings, name: string): string => join(folder, `${name}.log`)

/** Runs a `havn` command and returns its output; throws with the output when it fails. */
export async function havn(settings: InstallationSettings, ...words: readonly string[]): Promise<string> {
  return await runProgram(process.execPath, [HAVN, ...words], { folder: ROOT, variables: environmentOf(settings) })
}

/** `authorityFile` is a PEM file of the authority that certified the gateway, which banks notify. */
export async function startBanks(settings: InstallationSettings, authorityFile?: string): Promise<StartedProgram> {
  const { bankDatabaseUrl, ports } = settings
  const environment = {
    DATABASE_URL: bankDatabaseUrl,
    HAVN_SANDBOX_BANK_PORT: String(ports.pages),
    HAVN_SANDBOX_XS2A_PORT: String(ports.xs2a),
    HAVN_SANDBOX_BANK_URL: urlOf(ports.pages),
    HAVN_LOG_LEVEL: 'warn',
    ...(authorityFile === undefined ? {} : { NODE_EXTRA_CA_CERTS: authorityFile }),
  }
  const ready = `${urlOf(ports.pages)}/control/clock`
  return await startProgram({ words: [BANK], environment, log: logOf(settings, 'banks'), ready })
}

export async function startGateway(settings: InstallationSettings): Promise<StartedProgram> {
  const ready = `${urlOf(settings.ports.gateway)}/readyz`
  const environment = environmentOf(settings)
  return await startProgram({ words: [MAIN, 'gateway'], environment, log: logOf(settings, 'gateway'), ready })
}

export async function startWorker(settings: InstallationSettings): Promise<StartedProgram> {
  const ready = `${urlOf(settings.ports.worker)}/readyz`
  const environment = environmentOf(settings)
  return await startProgram({ words: [MAIN, 'worker'], environment, log: logOf(settings, 'worker'), ready })
}

/** Resolves when it is ready; throws when it ends before. */
export async function startProgram({ words, environment, log, ready }: ProgramToStart): Promise<StartedProgram> {
  const child = spawn(process.execPath, [...words], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const file = createWriteStream(log, { flags: 'a' })
  child.stdout.pipe(file)
  child.stderr.pipe(file)
  const isReady = async () => (await fetch(ready).catch(() => undefined))?.ok === true
  await waitUntil(async () => child.exitCode !== null || (await isReady()), READY_MILLISECONDS)
  if (child.exitCode !== null || !(await isReady())) {
    child.kill()
    throw new Error(`${words.join(' ')} did not start:\n${(await readFile(log, 'utf8')).slice(-LOG_CHARACTERS)}`)
  }
  return {
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: (signal = 'SIGTERM') => stop(child, signal),
  }
}

/** Stops programs in the reverse order of their start; one that does not stop is reported. */
export async function stopAll(running: readonly RunningProgram[]): Promise<void> {
  for (const program of running.toReversed()) {
    await program.stop().catch((error: unknown) => console.error(String(error)))
  }
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return child.exitCode
}
