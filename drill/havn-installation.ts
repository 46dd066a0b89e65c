/** Runs the programs of a drill's installation: sandbox banks, gateways and workers, with their logs in files. */
import { join } from 'node:path'
import {
  type BackgroundProgram,
  isServed,
  startProgram,
  untilReady,
} from '../gateway/testing/gateway/background-program.ts'
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

/** A program, and where its output goes and how it shows that it is ready. */
type ProgramToStart = {
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly log: string
  /** A URL that it answers with 200 from then on. */
  readonly ready: string
}

const HAVN = join(ROOT, 'cli', 'havn.ts')
const BANK = join(ROOT, 'sandbox', 'bank', 'main.ts')

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

export const logOf = ({ folder }: InstallationSettings, name: string): string => join(folder, `${name}.log`)

/** Runs a `havn` command and returns its output; throws with the output when it fails. */
export async function havn(settings: InstallationSettings, ...words: readonly string[]): Promise<string> {
  return await runProgram(process.execPath, [HAVN, ...words], { folder: ROOT, variables: environmentOf(settings) })
}

/** `authorityFile` is a PEM file of the authority that certified the gateway, which banks notify. */
export async function startBanks(settings: InstallationSettings, authorityFile?: string): Promise<BackgroundProgram> {
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
  return await startLogged({ words: [BANK], environment, log: logOf(settings, 'banks'), ready })
}

export async function startRole(
  role: 'gateway' | 'worker',
  settings: InstallationSettings,
): Promise<BackgroundProgram> {
  const ready = `${urlOf(settings.ports[role])}/readyz`
  const environment = environmentOf(settings)
  return await startLogged({ words: [HAVN, role], environment, log: logOf(settings, role), ready })
}

/** Resolves when it is ready; throws when it ends before. */
export async function startLogged({ words, environment, log, ready }: ProgramToStart): Promise<BackgroundProgram> {
  const program = startProgram([process.execPath, ...words], {
    environment: { PATH: process.env['PATH'], ...environment },
    log,
  })
  await untilReady(program, () => isServed(ready))
  return program
}
