/** Lists the programs of a Havn on one machine, and the settings of each. */
import { fileURLToPath } from 'node:url'
import { bankSettingsOf, type CertificateFiles, gatewaySettingsOf } from './certificates/sandbox-certificates.ts'
import { LOOPBACK } from './free-ports.ts'
import { addressOf, type StartSettings } from './start-settings.ts'

/**
 * The old generation of the heap (connections, pages of entries) is collected once it has grown by 40 per cent instead
 * of several times, so that a long list does not grow a process by a hundred megabytes. The young generation has a
 * fixed size. `cli/havn` has the same options.
 */
export const GATEWAY_MEMORY = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=40',
  // Incremental marking in many small steps that start early: one large step would block every request for tens of
  // milliseconds.
  '--incremental-marking-soft-trigger=80',
  '--incremental-marking-hard-trigger=60',
  // With one helper thread: more of them take CPU time from the main thread while it answers requests.
  '--v8-pool-size=1',
  // V8 would use half of a container's memory, and end the process there.
  '--max-old-space-size-percentage=70',
]

/**
 * Almost all objects of a worker live for one delivery. In a smaller young generation they are copied repeatedly before
 * they die, which took a quarter of a worker's time; parallel scavenges take that time from other processes. V8 rounds
 * the size up to a power of two, and allocates it twice.
 */
const WORKER_MEMORY = [
  '--max-semi-space-size=16',
  '--no-parallel-scavenge',
  '--heap-growing-percent=30',
  '--v8-pool-size=1',
]

/** OpenSSL's allocations in several threads would be spread over one malloc arena each; two arenas limit that. */
const MALLOC_SETTINGS = { MALLOC_ARENA_MAX: '2' }

/** Programs of the sandbox are idle most of the time, on a laptop: freed memory is returned to the system. */
const SANDBOX_MEMORY = ['--max-semi-space-size=8', '--heap-growing-percent=30', '--v8-pool-size=1']
const SANDBOX_HEAPS = { ...MALLOC_SETTINGS, MALLOC_TRIM_THRESHOLD_: '131072' }

/** The gateway's endpoint for notifications of the FX provider. */
const FX_NOTIFICATIONS_PATH = '/notices/fx'

/** A program that runs as a process of its own. */
export type Program = {
  readonly name: string
  readonly file: string
  /** Options of its runtime. */
  readonly runtime?: readonly string[]
  readonly options: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** The common settings of one start. */
export type ProgramSettings = {
  readonly settings: StartSettings
  readonly workerPort: number
  readonly connectionString: string
  readonly masterKeyFile: string
  readonly certificates: CertificateFiles
}

/** The programs in groups: all start at once; a group is stopped when the groups after it have ended. */
export function programsOf(started: ProgramSettings): readonly (readonly Program[])[] {
  const { settings, connectionString } = started
  const shared = { DATABASE_URL: connectionString, HAVN_HOST: LOOPBACK }
  const sandbox = (name: string, file: string, environment: Program['environment']): Program => ({
    name,
    file: pathOf(file),
    runtime: SANDBOX_MEMORY,
    options: [],
    environment: { ...shared, ...environment, ...SANDBOX_HEAPS },
  })
  const role = (name: string, runtime: readonly string[]): Program => ({
    name,
    file: pathOf('./roles/main.ts'),
    runtime,
    options: [name],
    environment: { ...shared, ...gatewayEnvironment(started), ...MALLOC_SETTINGS },
  })
  return [
    [
      sandbox('sandbox bank', '../sandbox/bank/main.ts', sandboxBankEnvironment(started)),
      sandbox(
        'sandbox identity provider',
        '../sandbox/identity-provider/main.ts',
        sandboxIdentityEnvironment(settings),
      ),
      sandbox('sandbox fx', '../sandbox/fx/main.ts', sandboxFxEnvironment(settings)),
    ],
    [role('gateway', GATEWAY_MEMORY), role('worker', WORKER_MEMORY)],
  ]
}

/** The settings of gateway and worker; commands on the same machine use them, too. */
export function gatewayEnvironment({
  settings,
  workerPort,
  masterKeyFile,
  certificates,
}: Omit<ProgramSettings, 'connectionString'>) {
  const address = addressOf(settings.ports.gateway)
  return {
    HAVN_MODE: 'sandbox',
    HAVN_MASTER_KEY_FILE: masterKeyFile,
    HAVN_PORT: String(settings.ports.gateway.number),
    // Configured in both, so that neither delivers a webhook there.
    HAVN_WORKER_PORT: String(workerPort),
    HAVN_BASE_URL: address,
    HAVN_AUTH_URL: address,
    HAVN_ONBOARDING_URL: address,
    HAVN_SANDBOX_BANK_URL: addressOf(settings.ports.sandboxBank),
    HAVN_SANDBOX_XS2A_URL: addressOf(settings.ports.sandboxXs2a).replace(/^http:/, 'https:'),
    HAVN_SANDBOX_IDENTITY_URL: addressOf(settings.ports.sandboxIdentity),
    HAVN_SANDBOX_IDENTITY_CONTROL_URL: addressOf(settings.ports.sandboxIdentityControl),
    HAVN_SANDBOX_INBOX_URL: addressOf(settings.ports.sandboxInbox),
    ...fxSettingsOf(settings),
    ...gatewaySettingsOf(certificates),
    // A partner's endpoint under development has no certificate yet.
    HAVN_WEBHOOK_ALLOWED_NETWORKS: settings.webhookNetworks,
    HAVN_WEBHOOK_HTTP: settings.webhookHttp,
    // Publicly known credentials are created only in a database that only this machine can reach.
    ...(settings.databaseUrl === null ? { HAVN_DEMO: '1' } : {}),
  }
}

function sandboxBankEnvironment({ settings: { ports }, certificates }: ProgramSettings) {
  return {
    HAVN_SANDBOX_BANK_PORT: String(ports.sandboxBank.number),
    HAVN_SANDBOX_XS2A_PORT: String(ports.sandboxXs2a.number),
    HAVN_SANDBOX_BANK_URL: addressOf(ports.sandboxBank),
    HAVN_SANDBOX_FX_URL: addressOf(ports.sandboxFxControl),
    ...bankSettingsOf(certificates),
  }
}

function sandboxIdentityEnvironment({ ports }: StartSettings) {
  return {
    HAVN_SANDBOX_IDENTITY_PORT: String(ports.sandboxIdentity.number),
    HAVN_SANDBOX_IDENTITY_CONTROL_PORT: String(ports.sandboxIdentityControl.number),
    HAVN_SANDBOX_IDENTITY_URL: addressOf(ports.sandboxIdentity),
  }
}

function sandboxFxEnvironment({ ports }: StartSettings) {
  return {
    HAVN_SANDBOX_FX_PORT: String(ports.sandboxFx.number),
    HAVN_SANDBOX_FX_CONTROL_PORT: String(ports.sandboxFxControl.number),
    HAVN_SANDBOX_FX_NOTICE_URL: `${addressOf(ports.gateway)}${FX_NOTIFICATIONS_PATH}`,
  }
}

/** The keys are the sandbox's own, which are publicly known. */
function fxSettingsOf({ ports }: StartSettings) {
  return {
    HAVN_FX_PROVIDER: 'currencycloud',
    HAVN_FX_URL: addressOf(ports.sandboxFx),
    HAVN_FX_LOGIN_ID: 'havn-sandbox',
    HAVN_FX_API_KEY: 'havn0000sandbox0000havn0000sandbox0000havn0000sandbox0000havn000',
    HAVN_FX_NOTIFICATION_KEY: 'havn-sandbox-fx-notice-key',
    HAVN_SANDBOX_FX_URL: addressOf(ports.sandboxFxControl),
  }
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}
