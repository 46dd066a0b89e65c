/** Reads the settings from the environment once at start, and reports all errors together. */
import { type CallLogSettings, readCallLogSettings } from './call-log-settings.ts'
import { type CertificateSettings, certificateSettings } from './certificate-settings.ts'
import { type RegistrySettings, readCompanyRegistries } from './company-registry-settings.ts'
import { type ConsoleProviderSettings, readConsoleProvider } from './console-settings.ts'
import { type DatabaseConfig, readDatabaseSettings } from './database-settings.ts'
import { type Environment, environmentReader } from './environment-reader.ts'
import { FX_PROVIDERS, type FxProviderSettings, validateFxProviderSettings } from './fx-provider-settings.ts'
import { type FxServiceSettings, readFxServiceSettings } from './fx-service-settings.ts'
import {
  type IdentityProviderSettings,
  readIdentityProviders,
  sandboxIdentityProviders,
} from './identity-provider-settings.ts'
import { productionErrors } from './production-settings.ts'
import { readSftpSettings, type SftpSettings } from './sftp-settings.ts'
import { readTppIpAddress } from './tpp-ip-address.ts'
import { readTrafficSettings, type TrafficSettings } from './traffic-settings.ts'
import { readWebhookSettings, type WebhookSettings } from './webhook-settings.ts'

/** All settings of gateway and worker; `docs/settings.md` lists the variables. */
export type Config = CallLogSettings &
  CertificateSettings &
  DatabaseConfig &
  FxServiceSettings &
  TrafficSettings &
  WebhookSettings & {
    readonly mode: 'sandbox' | 'production'
    readonly masterKeyFile: string
    readonly host: string
    readonly port: number
    /** Port of the worker's `/healthz`, `/readyz` and `/metrics`; 0 selects any free port. */
    readonly workerPort: number
    /** Port of the same endpoints of the gateway; with 0 they are on its main port, in sandbox mode only. */
    readonly operatorPort: number
    readonly baseUrl: string
    readonly authUrl: string
    readonly onboardingUrl: string
    /** The number of our own reverse proxies: that many of the last addresses in `X-Forwarded-For` are theirs. */
    readonly trustProxy: number
    readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
    /** The address from which banks see our calls; null where it is not needed. */
    readonly tppIpAddress: string | null
    /** How long a bank may take to answer before the outcome counts as unknown. */
    readonly bankAnswerTimeoutSeconds: number
    /** Reads of an account without its user per day, for each kind of read. */
    readonly unattendedReadsPerDay: number
    /** The maximum number of payouts in a payroll, whatever its bank allows. */
    readonly payrollTransactionsMax: number
    /** Whether the demo partner is created at start; the supervisor sets this on its embedded database only. */
    readonly demo: boolean
    /** The sandbox's XS2A API, and control URLs of its bank and FX provider, notified of clock changes; null for none. */
    readonly sandboxXs2aUrl: string | null
    readonly sandboxBankUrl: string | null
    readonly sandboxFxUrl: string | null
    /** A folder with the operator's own bank profiles, in addition to those of the release; null for none. */
    readonly bankProfilesFolder: string | null
    /** Our key for banks' SFTP servers, and the file of their host keys; null for none. */
    readonly sftp: SftpSettings | null
    /** The company registry of each country. */
    readonly companyRegistries: RegistrySettings
    /** The identity providers; for a country, the first that serves it is used. */
    readonly identityProviders: readonly IdentityProviderSettings[]
    /** The sandbox's identity provider and its control API; null without them. */
    readonly sandboxIdentityUrl: string | null
    readonly sandboxIdentityControlUrl: string | null
    /** The OpenID Connect provider of the console's users, and the FX provider; null for none. */
    readonly consoleProvider: ConsoleProviderSettings | null
    readonly fx: FxProviderSettings | null
    /** The OpenTelemetry collector; null sends no traces. */
    readonly tracesUrl: string | null
  }

/** Thrown when the program cannot start with its settings. */
export class ConfigError extends Error {}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
const DATABASE_VARIABLES = {
  url: 'DATABASE_URL',
  connectionsMax: 'HAVN_DATABASE_CONNECTIONS_MAX',
  poolMode: 'HAVN_DATABASE_POOL_MODE',
  listenUrl: 'HAVN_DATABASE_LISTEN_URL',
  answerTimeout: 'HAVN_DATABASE_ANSWER_TIMEOUT_SECONDS',
}
const CERTIFICATE_VARIABLES = {
  qwac: {
    certificate: ['HAVN_QWAC_CERTIFICATE_FILE', 'HAVN_QWAC_CERTIFICATE'],
    key: ['HAVN_QWAC_KEY_FILE', 'HAVN_QWAC_KEY'],
  },
  qseal: {
    certificate: ['HAVN_QSEAL_CERTIFICATE_FILE', 'HAVN_QSEAL_CERTIFICATE'],
    key: ['HAVN_QSEAL_KEY_FILE', 'HAVN_QSEAL_KEY'],
  },
  folder: 'HAVN_CERTIFICATES_DIR',
  warningDays: 'HAVN_CERTIFICATE_WARNING_DAYS',
  bankCaFile: 'HAVN_BANK_CA_FILE',
} as const
const FX_SERVICE_VARIABLES = {
  hours: 'HAVN_FX_SERVICE_HOURS',
  margin: 'HAVN_FX_MARGIN_PERCENT',
  ratesUrl: 'HAVN_REFERENCE_RATES_URL',
}
const TRAFFIC_VARIABLES = {
  tokenRequests: 'HAVN_TOKEN_REQUESTS_PER_MINUTE',
  requests: 'HAVN_REQUESTS_PER_SECOND',
  connections: 'HAVN_CONNECTIONS_MAX',
  connectionsPerAddress: 'HAVN_CONNECTIONS_PER_ADDRESS_MAX',
  drainSeconds: 'HAVN_DRAIN_SECONDS',
}
const WEBHOOK_VARIABLES = {
  allowedNetworks: 'HAVN_WEBHOOK_ALLOWED_NETWORKS',
  http: 'HAVN_WEBHOOK_HTTP',
  caFile: 'HAVN_WEBHOOK_CA_FILE',
  inboxUrl: 'HAVN_SANDBOX_INBOX_URL',
}
const CONSOLE_PROVIDER_VARIABLES = {
  issuer: 'HAVN_CONSOLE_OIDC_ISSUER',
  clientId: 'HAVN_CONSOLE_OIDC_CLIENT_ID',
  clientSecretFile: 'HAVN_CONSOLE_OIDC_CLIENT_SECRET_FILE',
  clientKeyFile: 'HAVN_CONSOLE_OIDC_CLIENT_KEY_FILE',
  hosts: 'HAVN_CONSOLE_OIDC_HOSTS',
  scope: 'HAVN_CONSOLE_OIDC_SCOPE',
  groupsClaim: 'HAVN_CONSOLE_OIDC_GROUPS_CLAIM',
  groups: 'HAVN_CONSOLE_GROUPS',
  roleLookup: 'HAVN_CONSOLE_ROLE_LOOKUP_MINUTES',
}
const [POSITIVE_NUMBERS, PORTS] = [[1, 999_999_999] as const, [0, 65_535] as const]
/** The measured range; the request body limit allows few more. */
const PAYROLL_TRANSACTIONS_RANGE = [1, 10_000] as const
/** With 0 every outcome would be unknown; above 45 s the calls of one request could outlast its idempotency key. */
const BANK_TIMEOUT_RANGE = [1, 45] as const

/** Reads the settings. Throws one error that lists everything wrong with them; a worker requires more of them. */
export function readConfig(environment: Environment, role: 'gateway' | 'worker' = 'gateway'): Config {
  const { config, errors } = inspectConfig(environment, role)
  throwIfInvalid(errors)
  return config
}

/** Settings with what is wrong with them; an invalid one has its default or its invalid value. */
type InspectedConfig = { readonly config: Config; readonly errors: readonly string[] }

/** Reads the settings for a program that reports what is wrong with them, and does not stop. */
export function inspectConfig(environment: Environment, role: 'gateway' | 'worker'): InspectedConfig {
  const errors: string[] = []
  const read = environmentReader(environment, errors)
  const port = read.integer('HAVN_PORT', 8080, PORTS)
  const host = read.text('HAVN_HOST', '127.0.0.1')
  const baseUrl = read.url('HAVN_BASE_URL', `http://${host}:${port}`)
  const mode = read.oneOf('HAVN_MODE', ['sandbox', 'production'], 'production')
  const config: Config = {
    mode,
    port,
    host,
    baseUrl,
    ...readDatabaseSettings(read, DATABASE_VARIABLES, errors),
    masterKeyFile: read.required('HAVN_MASTER_KEY_FILE', 'the master key file, created by `havn keys create`'),
    workerPort: read.integer('HAVN_WORKER_PORT', 0, PORTS),
    operatorPort: read.integer('HAVN_OPERATOR_PORT', 0),
    authUrl: read.url('HAVN_AUTH_URL', baseUrl),
    onboardingUrl: read.url('HAVN_ONBOARDING_URL', baseUrl),
    trustProxy: read.integer('HAVN_TRUST_PROXY', 0),
    logLevel: read.oneOf('HAVN_LOG_LEVEL', LOG_LEVELS, 'info'),
    tppIpAddress: readTppIpAddress(read.text('HAVN_TPP_IP_ADDRESS', ''), { mode, role, errors }),
    bankAnswerTimeoutSeconds: read.integer('HAVN_BANK_ANSWER_TIMEOUT_SECONDS', 30, BANK_TIMEOUT_RANGE),
    ...readTrafficSettings(read, TRAFFIC_VARIABLES),
    unattendedReadsPerDay: read.integer('HAVN_UNATTENDED_READS_PER_DAY', 4, POSITIVE_NUMBERS),
    payrollTransactionsMax: read.integer('HAVN_PAYROLL_TRANSACTIONS_MAX', 10_000, PAYROLL_TRANSACTIONS_RANGE),
    sandboxBankUrl: mode === 'sandbox' ? read.optionalUrl('HAVN_SANDBOX_BANK_URL') : null,
    sandboxFxUrl: mode === 'sandbox' ? read.optionalUrl('HAVN_SANDBOX_FX_URL') : null,
    sandboxXs2aUrl: mode === 'sandbox' ? read.optionalUrl('HAVN_SANDBOX_XS2A_URL') : null,
    demo: mode === 'sandbox' && read.oneOf('HAVN_DEMO', ['0', '1'], '0') === '1',
    ...readWebhookSettings(read, WEBHOOK_VARIABLES, mode),
    ...certificateSettings(read, CERTIFICATE_VARIABLES),
    bankProfilesFolder: readBankProfilesFolder(environment),
    sftp: readSftpSettings(read, ['HAVN_SFTP_KEY_FILE', 'HAVN_SFTP_KNOWN_HOSTS_FILE'], errors),
    companyRegistries: readCompanyRegistries(
      { name: 'HAVN_COMPANY_REGISTRIES', text: read.text('HAVN_COMPANY_REGISTRIES', '') },
      { mode, errors },
    ),
    ...identitySettings(read, mode, errors),
    consoleProvider: readConsoleProvider(read, CONSOLE_PROVIDER_VARIABLES, { mode, errors }),
    fx: fxSettings(read, mode, errors),
    ...readCallLogSettings(read, ['HAVN_REQUEST_LOG', 'HAVN_REQUEST_LOG_MEGABYTES_MAX', 'HAVN_BANK_CALL_LOG']),
    ...readFxServiceSettings(read, FX_SERVICE_VARIABLES, errors),
    tracesUrl: read.optionalUrl('OTEL_EXPORTER_OTLP_ENDPOINT'),
  }
  return { config, errors: mode === 'production' ? [...errors, ...productionErrors(config)] : errors }
}

/** Reads only the certificates; throws as `readConfig` does. */
export function readCertificateSettings(environment: Environment): CertificateSettings {
  const errors: string[] = []
  const settings = certificateSettings(environmentReader(environment, errors), CERTIFICATE_VARIABLES)
  throwIfInvalid(errors)
  return settings
}

/** The sandbox's own provider is the default. */
function identitySettings(
  read: ReturnType<typeof environmentReader>,
  mode: Config['mode'],
  errors: string[],
): Pick<Config, 'identityProviders' | 'sandboxIdentityUrl' | 'sandboxIdentityControlUrl'> {
  const sandboxIdentityUrl = mode === 'sandbox' ? read.optionalUrl('HAVN_SANDBOX_IDENTITY_URL') : null
  const sandboxIdentityControlUrl = mode === 'sandbox' ? read.optionalUrl('HAVN_SANDBOX_IDENTITY_CONTROL_URL') : null
  const setting = { name: 'HAVN_IDENTITY_PROVIDERS', text: read.text('HAVN_IDENTITY_PROVIDERS', '') }
  const identityProviders =
    setting.text === '' && sandboxIdentityUrl !== null
      ? sandboxIdentityProviders(sandboxIdentityUrl)
      : readIdentityProviders(setting, { mode, errors })
  return { identityProviders, sandboxIdentityUrl, sandboxIdentityControlUrl }
}

function fxSettings(
  read: ReturnType<typeof environmentReader>,
  mode: Config['mode'],
  errors: string[],
): FxProviderSettings | null {
  const given = {
    provider: read.oneOf('HAVN_FX_PROVIDER', FX_PROVIDERS, 'none'),
    url: read.text('HAVN_FX_URL', ''),
    loginId: read.text('HAVN_FX_LOGIN_ID', ''),
    apiKey: read.secret(['HAVN_FX_API_KEY_FILE', 'HAVN_FX_API_KEY']),
    notificationKey: read.secret(['HAVN_FX_NOTIFICATION_KEY_FILE', 'HAVN_FX_NOTIFICATION_KEY']),
    onBehalfOf: read.text('HAVN_FX_ON_BEHALF_OF', '') || null,
    holdSeconds: read.text('HAVN_FX_HOLD_SECONDS', '120,300'),
    callsPerMinute: read.integer('HAVN_FX_CALLS_PER_MINUTE', 500, POSITIVE_NUMBERS),
    rateCallsPerMinute: read.integer('HAVN_FX_RATE_CALLS_PER_MINUTE', 200, POSITIVE_NUMBERS),
  }
  return validateFxProviderSettings(given, { mode, errors })
}

/** The operator's folder of bank profiles, which commands read without any other setting. */
export function readBankProfilesFolder(environment: Environment): string | null {
  return environmentReader(environment, []).text('HAVN_BANK_PROFILES_DIR', '') || null
}

function throwIfInvalid(errors: readonly string[]): void {
  if (errors.length > 0) {
    throw new ConfigError(`The settings are invalid:\n${errors.map((error) => `  - ${error}`).join('\n')}`)
  }
}
