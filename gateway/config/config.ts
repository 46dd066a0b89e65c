/** Reads the settings from the environment, once, at start; whatever is wrong or missing names itself. */

import { type RegistrySettings, readCompanyRegistries } from './company-registry-settings.ts'
import { type CertificateSource, type Environment, readerOf } from './environment-reader.ts'
import { FX_PROVIDERS, type FxSettings, judgeFxSettings } from './fx-provider-settings.ts'
import { type ExchangeSettings, readExchangeSettings } from './fx-service-settings.ts'
import {
  type IdentityProviderSettings,
  readIdentityProviders,
  sandboxIdentityProviders,
} from './identity-provider-settings.ts'

/** All settings of gateway and worker; README lists the variables. */
export type Config = ExchangeSettings & {
  readonly mode: 'sandbox' | 'production'
  readonly databaseUrl: string
  readonly databaseConnectionsMax: number
  readonly masterKeyFile: string
  readonly host: string
  readonly port: number
  /** Where the worker answers `/healthz`, `/readyz` and `/metrics`; 0 takes any free port. */
  readonly workerPort: number
  /** Where the gateway answers the same; with 0 it does so beside its operations, in sandbox mode only. */
  readonly operatorPort: number
  readonly baseUrl: string
  readonly authUrl: string
  readonly onboardingUrl: string
  /** Behind so many proxies of our own: that many of the last addresses in `X-Forwarded-For` are theirs. */
  readonly trustProxy: number
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** How long a bank may take to answer before the outcome counts as unknown. */
  readonly bankAnswerTimeoutSeconds: number
  readonly tokenRequestsPerMinute: number
  readonly requestsPerSecond: number
  /** Connections that a server has open at a time, in all and from one address. */
  readonly connectionsMax: number
  readonly connectionsPerAddressMax: number
  /** How often a day an account may be read without its user, for each kind of reading. */
  readonly unattendedReadsPerDay: number
  /** How many payouts one payroll holds at most, whatever its bank takes. */
  readonly payrollTransactionsMax: number
  /** Whether the demo partner is made at start; the supervisor says so on its embedded database only. */
  readonly demo: boolean
  /** Where the sandbox bank's XS2A is; null without one. */
  readonly sandboxXs2aUrl: string | null
  /** Control address of the sandbox bank, told of a moved clock; null without one. */
  readonly sandboxBankUrl: string | null
  /** Control address of the sandbox's provider of exchange; null without one. */
  readonly sandboxFxUrl: string | null
  /** Networks that deliveries may reach although they are not public; none in production. */
  readonly webhookAllowedNetworks: readonly string[]
  /** Whether deliveries may go to http addresses; never in production. */
  readonly webhookHttpAllowed: boolean
  /** Certificates (PEM) of authorities that deliveries trust besides everybody's; null for none, as in production. */
  readonly webhookCaFile: string | null
  /** The certificate for connections to banks; null speaks to them without one. */
  readonly qwac: CertificateSource | null
  /** The certificate that signs messages to banks; null leaves them unsigned. */
  readonly qseal: CertificateSource | null
  /** Certificates (PEM) of authorities that vouch for banks' servers besides everybody's; null for none. */
  readonly bankCaFile: string | null
  /** A folder with the operator's own bank profiles, beside those of the release; null for none. */
  readonly bankProfilesFolder: string | null
  /** What banks' servers of files know us by, and the file of their own keys; null where there is none. */
  readonly sftp: { readonly keyFile: string; readonly knownHostsFile: string } | null
  /** Which registry tells of the companies of each country. */
  readonly companyRegistries: RegistrySettings
  /** Who identifies persons; of those that serve a country, the first does. */
  readonly identityProviders: readonly IdentityProviderSettings[]
  /** Control address of the sandbox's identity provider; null without one. */
  readonly sandboxIdentityUrl: string | null
  /** Who changes money; null for nobody. */
  readonly fx: FxSettings | null
  /** Where OpenTelemetry traces go; null sends none. */
  readonly tracesUrl: string | null
}

/** What banks know us by, and whom we take for banks. */
export type CertificateSettings = Pick<Config, 'qwac' | 'qseal' | 'bankCaFile'>

/** Thrown when the program cannot start with what it was given. */
export class ConfigError extends Error {}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
const EXCHANGE = {
  hours: 'HAVN_FX_SERVICE_HOURS',
  margin: 'HAVN_FX_MARGIN_PERCENT',
  ratesUrl: 'HAVN_REFERENCE_RATES_URL',
}
const POSITIVE_NUMBERS = [1, 999_999_999] as const
const PORTS = [0, 65_535] as const
/** What was measured; a body has no room for many more. */
const PAYOUTS = [1, 10_000] as const
/** No time would leave every outcome unknown; with more, a request's calls in a row could outlast its idempotency key. */
const ANSWER_SECONDS = [1, 45] as const

/** Reads the settings; throws one error that lists everything wrong with them. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const read = readerOf(environment, problems)
  const port = read.integer('HAVN_PORT', 8080, PORTS)
  const host = read.text('HAVN_HOST', '127.0.0.1')
  const baseUrl = read.url('HAVN_BASE_URL', `http://${host}:${port}`)
  const mode = read.oneOf('HAVN_MODE', ['sandbox', 'production'], 'production')
  const config: Config = {
    mode,
    port,
    host,
    baseUrl,
    databaseUrl: read.required('DATABASE_URL', 'the address of PostgreSQL, e.g. postgres://havn@localhost/havn'),
    databaseConnectionsMax: read.integer('HAVN_DATABASE_CONNECTIONS_MAX', 10, POSITIVE_NUMBERS),
    masterKeyFile: read.required('HAVN_MASTER_KEY_FILE', 'the file with the master keys, made by `havn keys create`'),
    workerPort: read.integer('HAVN_WORKER_PORT', 0, PORTS),
    operatorPort: read.integer('HAVN_OPERATOR_PORT', 0),
    authUrl: read.url('HAVN_AUTH_URL', baseUrl),
    onboardingUrl: read.url('HAVN_ONBOARDING_URL', baseUrl),
    trustProxy: read.integer('HAVN_TRUST_PROXY', 0),
    logLevel: read.oneOf('HAVN_LOG_LEVEL', LOG_LEVELS, 'info'),
    bankAnswerTimeoutSeconds: read.integer('HAVN_BANK_ANSWER_TIMEOUT_SECONDS', 30, ANSWER_SECONDS),
    tokenRequestsPerMinute: read.integer('HAVN_TOKEN_REQUESTS_PER_MINUTE', 60, POSITIVE_NUMBERS),
    requestsPerSecond: read.integer('HAVN_REQUESTS_PER_SECOND', 100, POSITIVE_NUMBERS),
    connectionsMax: read.integer('HAVN_CONNECTIONS_MAX', 2_000, POSITIVE_NUMBERS),
    connectionsPerAddressMax: read.integer('HAVN_CONNECTIONS_PER_ADDRESS_MAX', 500, POSITIVE_NUMBERS),
    unattendedReadsPerDay: read.integer('HAVN_UNATTENDED_READS_PER_DAY', 4, POSITIVE_NUMBERS),
    payrollTransactionsMax: read.integer('HAVN_PAYROLL_TRANSACTIONS_MAX', 10_000, PAYOUTS),
    sandboxBankUrl: mode === 'sandbox' ? read.optionalUrl('HAVN_SANDBOX_BANK_URL') : null,
    sandboxFxUrl: mode === 'sandbox' ? read.optionalUrl('HAVN_SANDBOX_FX_URL') : null,
    sandboxXs2aUrl: mode === 'sandbox' ? read.optionalUrl('HAVN_SANDBOX_XS2A_URL') : null,
    demo: mode === 'sandbox' && read.oneOf('HAVN_DEMO', ['0', '1'], '0') === '1',
    webhookAllowedNetworks: read.networks('HAVN_WEBHOOK_ALLOWED_NETWORKS'),
    webhookHttpAllowed: read.oneOf('HAVN_WEBHOOK_HTTP', ['0', '1'], '0') === '1',
    webhookCaFile: read.text('HAVN_WEBHOOK_CA_FILE', '') || null,
    ...certificateSettings(read),
    bankProfilesFolder: readBankProfilesFolder(environment),
    sftp: sftpSettings(read, problems),
    companyRegistries: readCompanyRegistries(
      { name: 'HAVN_COMPANY_REGISTRIES', text: read.text('HAVN_COMPANY_REGISTRIES', '') },
      { mode, problems },
    ),
    ...identitySettings(read, mode, problems),
    fx: fxSettings(read, mode, problems),
    ...readExchangeSettings(read, EXCHANGE, problems),
    tracesUrl: read.optionalUrl('OTEL_EXPORTER_OTLP_ENDPOINT'),
  }
  problems.push(...(mode === 'production' ? notForProduction(config) : []))
  for (const [name, url] of mode === 'production' ? Object.entries(addressesOf(config)) : []) {
    if (!url.startsWith('https://')) {
      problems.push(`${name} must begin with https:// in production`)
    }
  }
  requireNone(problems)
  return config
}

/** Reads only what banks know us by; throws as `readConfig` does. */
export function readCertificateSettings(environment: Environment): CertificateSettings {
  const problems: string[] = []
  const settings = certificateSettings(readerOf(environment, problems))
  requireNone(problems)
  return settings
}

/** The sandbox's own provider stands in where no other one is named. */
function identitySettings(
  read: ReturnType<typeof readerOf>,
  mode: Config['mode'],
  problems: string[],
): Pick<Config, 'identityProviders' | 'sandboxIdentityUrl'> {
  const sandboxIdentityUrl = mode === 'sandbox' ? read.optionalUrl('HAVN_SANDBOX_IDENTITY_URL') : null
  const named = { name: 'HAVN_IDENTITY_PROVIDERS', text: read.text('HAVN_IDENTITY_PROVIDERS', '') }
  const identityProviders =
    named.text === '' && sandboxIdentityUrl !== null
      ? sandboxIdentityProviders(sandboxIdentityUrl)
      : readIdentityProviders(named, { mode, problems })
  return { identityProviders, sandboxIdentityUrl }
}

function fxSettings(read: ReturnType<typeof readerOf>, mode: Config['mode'], problems: string[]): FxSettings | null {
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
  return judgeFxSettings(given, { mode, problems })
}

function certificateSettings(read: ReturnType<typeof readerOf>): CertificateSettings {
  return {
    qwac: read.certificate('QWAC', {
      certificate: ['HAVN_QWAC_CERTIFICATE_FILE', 'HAVN_QWAC_CERTIFICATE'],
      key: ['HAVN_QWAC_KEY_FILE', 'HAVN_QWAC_KEY'],
    }),
    qseal: read.certificate('QSEAL', {
      certificate: ['HAVN_QSEAL_CERTIFICATE_FILE', 'HAVN_QSEAL_CERTIFICATE'],
      key: ['HAVN_QSEAL_KEY_FILE', 'HAVN_QSEAL_KEY'],
    }),
    bankCaFile: read.text('HAVN_BANK_CA_FILE', '') || null,
  }
}

/** The operator's folder of bank profiles, which commands read without any other setting. */
export function readBankProfilesFolder(environment: Environment): string | null {
  return readerOf(environment, []).text('HAVN_BANK_PROFILES_DIR', '') || null
}

function sftpSettings(read: ReturnType<typeof readerOf>, problems: string[]): Config['sftp'] {
  const [keyFile, knownHostsFile] = [read.text('HAVN_SFTP_KEY_FILE', ''), read.text('HAVN_SFTP_KNOWN_HOSTS_FILE', '')]
  if ((keyFile === '') !== (knownHostsFile === '')) {
    problems.push('HAVN_SFTP_KEY_FILE and HAVN_SFTP_KNOWN_HOSTS_FILE belong together')
  }
  return keyFile === '' || knownHostsFile === '' ? null : { keyFile, knownHostsFile }
}

function requireNone(problems: readonly string[]): void {
  if (problems.length > 0) {
    throw new ConfigError(`The settings are not right:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
  }
}

/** Whoever sets these in production wants what production must not do; to ignore them would be found out late. */
function notForProduction({ webhookAllowedNetworks, webhookHttpAllowed, webhookCaFile }: Config): readonly string[] {
  const given = {
    HAVN_WEBHOOK_ALLOWED_NETWORKS: webhookAllowedNetworks.length > 0,
    HAVN_WEBHOOK_HTTP: webhookHttpAllowed,
    HAVN_WEBHOOK_CA_FILE: webhookCaFile !== null,
  }
  return Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [`${name} is for sandbox mode only`] : []))
}

function addressesOf({ baseUrl, authUrl, onboardingUrl }: Config): Record<string, string> {
  return { HAVN_BASE_URL: baseUrl, HAVN_AUTH_URL: authUrl, HAVN_ONBOARDING_URL: onboardingUrl }
}
