/** Lists the programs that make up a whole Havn on one machine, and the settings each of them gets. */
import { fileURLToPath } from 'node:url'
import { bankSettingsOf, type CertificateFiles, gatewaySettingsOf } from './certificates/sandbox-certificates.ts'
import { addressOf, LOOPBACK, type StartSettings } from './start-settings.ts'

/**
 * What lives a little longer than a request or a delivery, as connections and pages of entries do, is looked through once
 * it has grown by 40 per cent, not by several times, lest a long list grow a process by a hundred megabytes. The room for
 * what lives briefly has one size from the beginning. `cli/havn` says the same.
 */
const GATEWAY_MEMORY = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=40',
  // Looked through in many small steps, which begin early: all at once it holds every request up for tens of milliseconds.
  '--incremental-marking-soft-trigger=80',
  '--incremental-marking-hard-trigger=60',
  // And by one thread beside ours: more of them take the cores from it while it answers requests.
  '--v8-pool-size=1',
]

/**
 * What a worker makes lives for one delivery, and hardly anything longer. In a smaller room it is copied about until it
 * dies, which took a quarter of a worker's time; swept by several threads, it takes that from whoever else is at work.
 * V8 rounds the room up to a power of two, and holds it twice.
 */
const WORKER_MEMORY = [
  '--max-semi-space-size=16',
  '--no-parallel-scavenge',
  '--heap-growing-percent=30',
  '--v8-pool-size=1',
]

/** What OpenSSL takes and gives back in several threads lies about in a heap for each, unless there are two for all. */
const FEW_HEAPS = { MALLOC_ARENA_MAX: '2' }

/** Programs of the sandbox are idle most of the time, on a laptop: what they free goes back to the system. */
const SANDBOX_MEMORY = ['--max-semi-space-size=8', '--heap-growing-percent=30', '--v8-pool-size=1']
const SANDBOX_HEAPS = { ...FEW_HEAPS, MALLOC_TRIM_THRESHOLD_: '131072' }

/** Where the gateway takes notifications of the provider of exchange. */
const FX_NOTICES_PATH = '/notices/fx'

/** A program that runs as a process of its own. */
export type Program = {
  readonly name: string
  readonly file: string
  /** What its runtime is told. */
  readonly runtime?: readonly string[]
  readonly options: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** What the programs of one start have in common. */
export type Surroundings = {
  readonly settings: StartSettings
  readonly workerPort: number
  readonly connectionString: string
  readonly masterKeyFile: string
  readonly certificates: CertificateFiles
}

/** The programs in groups: all start at once; a group is stopped when those after it have ended. */
export function programsOf(surroundings: Surroundings): readonly (readonly Program[])[] {
  const environment = gatewayEnvironment(surroundings)
  return [
    [
      sandboxProgram('sandbox bank', '../sandbox/bank/main.ts', sandboxBankEnvironment(surroundings)),
      sandboxProgram(
        'sandbox identity provider',
        '../sandbox/identity-provider/main.ts',
        sandboxIdentityEnvironment(surroundings),
      ),
      sandboxProgram('sandbox fx', '../sandbox/fx/main.ts', sandboxFxEnvironment(surroundings)),
    ],
    [
      {
        name: 'gateway',
        file: pathOf('../gateway/main.ts'),
        runtime: GATEWAY_MEMORY,
        options: ['gateway'],
        environment: { ...environment, ...FEW_HEAPS },
      },
      {
        name: 'worker',
        file: pathOf('../gateway/main.ts'),
        runtime: WORKER_MEMORY,
        options: ['worker'],
        environment: { ...environment, ...FEW_HEAPS },
      },
    ],
  ]
}

function sandboxProgram(name: string, file: string, environment: Readonly<Record<string, string>>): Program {
  return {
    name,
    file: pathOf(file),
    runtime: SANDBOX_MEMORY,
    options: [],
    environment: { ...environment, ...SANDBOX_HEAPS },
  }
}

function gatewayEnvironment({
  settings,
  workerPort,
  connectionString,
  masterKeyFile,
  certificates,
}: Surroundings): Record<string, string> {
  const address = addressOf(settings.ports.gateway)
  return {
    HAVN_MODE: 'sandbox',
    DATABASE_URL: connectionString,
    HAVN_MASTER_KEY_FILE: masterKeyFile,
    HAVN_HOST: LOOPBACK,
    HAVN_PORT: String(settings.ports.gateway.number),
    // Named to both, so that neither delivers a webhook there.
    HAVN_WORKER_PORT: String(workerPort),
    HAVN_BASE_URL: address,
    HAVN_AUTH_URL: address,
    HAVN_ONBOARDING_URL: address,
    HAVN_SANDBOX_BANK_URL: addressOf(settings.ports.sandboxBank),
    HAVN_SANDBOX_XS2A_URL: addressOf(settings.ports.sandboxXs2a).replace(/^http:/, 'https:'),
    HAVN_SANDBOX_IDENTITY_URL: addressOf(settings.ports.sandboxIdentity),
    ...fxSettingsOf(settings),
    ...gatewaySettingsOf(certificates),
    // An endpoint that is being written has no certificate yet.
    HAVN_WEBHOOK_ALLOWED_NETWORKS: settings.webhookNetworks,
    HAVN_WEBHOOK_HTTP: '1',
    // Credentials that everybody knows belong into a database that only this machine reaches.
    ...(settings.databaseUrl === undefined ? { HAVN_DEMO: '1' } : {}),
  }
}

function sandboxBankEnvironment({ settings, connectionString, certificates }: Surroundings): Record<string, string> {
  return {
    DATABASE_URL: connectionString,
    HAVN_HOST: LOOPBACK,
    HAVN_SANDBOX_BANK_PORT: String(settings.ports.sandboxBank.number),
    HAVN_SANDBOX_XS2A_PORT: String(settings.ports.sandboxXs2a.number),
    HAVN_SANDBOX_BANK_URL: addressOf(settings.ports.sandboxBank),
    HAVN_SANDBOX_FX_URL: addressOf(settings.ports.sandboxFx),
    ...bankSettingsOf(certificates),
  }
}

function sandboxIdentityEnvironment({ settings }: Surroundings): Record<string, string> {
  return {
    HAVN_HOST: LOOPBACK,
    HAVN_SANDBOX_IDENTITY_PORT: String(settings.ports.sandboxIdentity.number),
    HAVN_SANDBOX_IDENTITY_URL: addressOf(settings.ports.sandboxIdentity),
  }
}

function sandboxFxEnvironment({ settings, connectionString }: Surroundings): Record<string, string> {
  return {
    DATABASE_URL: connectionString,
    HAVN_HOST: LOOPBACK,
    HAVN_SANDBOX_FX_PORT: String(settings.ports.sandboxFx.number),
    HAVN_SANDBOX_FX_NOTICE_URL: `${addressOf(settings.ports.gateway)}${FX_NOTICES_PATH}`,
  }
}

/** The keys are the sandbox's own, which everybody knows. */
function fxSettingsOf({ ports }: StartSettings): Record<string, string> {
  const url = addressOf(ports.sandboxFx)
  return {
    HAVN_FX_PROVIDER: 'currencycloud',
    HAVN_FX_URL: url,
    HAVN_FX_LOGIN_ID: 'havn-sandbox',
    HAVN_FX_API_KEY: 'havn0000sandbox0000havn0000sandbox0000havn0000sandbox0000havn000',
    HAVN_FX_NOTIFICATION_KEY: 'havn-sandbox-fx-notice-key',
    HAVN_SANDBOX_FX_URL: url,
  }
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}
