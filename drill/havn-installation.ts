/** Runs the programs of the drill's installation: sandbox banks, a gateway and a worker, with their logs in files. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
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
}

export type RunningProgram = { stop(): Promise<void> }

const READY_MILLISECONDS = 60_000
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
  }
}

/** The log file of a program. */
export const logOf = ({ folder }: InstallationSettings, name: string): string => join(folder, `${name}.log`)

/** Runs a `havn` command and returns its output; throws with the output when it fails. */
export async function havn(settings: InstallationSettings, ...words: readonly string[]): Promise<string> {
  return await runProgram(process.execPath, [HAVN, ...words], { folder: ROOT, variables: environmentOf(settings) })
}

export async function startBanks(settings: InstallationSettings): Promise<RunningProgram> {
  const { bankDatabaseUrl, ports } = settings
  const environment = {
    DATABASE_URL: bankDatabaseUrl,
    HAVN_SANDBOX_BANK_PORT: String(ports.pages),
    HAVN_SANDBOX_XS2A_PORT: String(ports.xs2a),
    HAVN_SANDBOX_BANK_URL: urlOf(ports.pages),
    HAVN_LOG_LEVEL: 'warn',
  }
  return await startProgram([BANK], environment, {
    log: logOf(settings, 'banks'),
    ready: `${urlOf(ports.pages)}/control/clock`,
  })
}

export async function startGateway(settings: InstallationSettings): Promise<RunningProgram> {
  const ready = `${urlOf(settings.ports.gateway)}/readyz`
  return await startProgram([MAIN, 'gateway'], environmentOf(settings), { log: logOf(settings, 'gateway'), ready })
}

export async function startWorker(settings: InstallationSettings): Promise<RunningProgram> {
  const ready = `${urlOf(settings.ports.worker)}/readyz`
  return await startProgram([MAIN, 'worker'], environmentOf(settings), { log: logOf(settings, 'worker'), ready })
}

async function startProgram(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  { log, ready }: { readonly log: string; readonly ready: string },
): Promise<RunningProgram> {
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
    throw new Error(`${words.join(' ')} did not start; see ${log}`)
  }
  return { stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}
