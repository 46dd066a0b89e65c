/** Reads the settings from the environment, once, at start; whatever is wrong or missing names itself. */

/** All settings of gateway and worker; README lists the variables. */
export type Config = {
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
  /** Whether the demo partner is made at start; the supervisor says so on its embedded database only. */
  readonly demo: boolean
  /** Where the sandbox bank's XS2A is; null without one. */
  readonly sandboxXs2aUrl: string | null
  /** Control address of the sandbox bank, told of a moved clock; null without one. */
  readonly sandboxBankUrl: string | null
  /** Where OpenTelemetry traces go; null sends none. */
  readonly tracesUrl: string | null
}

type Environment = Readonly<Record<string, string | undefined>>

/** Thrown when the program cannot start with what it was given. */
export class ConfigError extends Error {}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
const WHOLE_NUMBERS = [0, 999_999_999] as const
const POSITIVE_NUMBERS = [1, 999_999_999] as const
const PORTS = [0, 65_535] as const
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
    sandboxBankUrl: mode === 'sandbox' ? read.optionalUrl('HAVN_SANDBOX_BANK_URL') : null,
    sandboxXs2aUrl: mode === 'sandbox' ? read.optionalUrl('HAVN_SANDBOX_XS2A_URL') : null,
    demo: mode === 'sandbox' && read.oneOf('HAVN_DEMO', ['0', '1'], '0') === '1',
    tracesUrl: read.optionalUrl('OTEL_EXPORTER_OTLP_ENDPOINT'),
  }
  for (const [name, url] of mode === 'production' ? Object.entries(addressesOf(config)) : []) {
    if (!url.startsWith('https://')) {
      problems.push(`${name} must begin with https:// in production`)
    }
  }
  if (problems.length > 0) {
    throw new ConfigError(`The settings are not right:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
  }
  return config
}

function addressesOf({ baseUrl, authUrl, onboardingUrl }: Config): Record<string, string> {
  return { HAVN_BASE_URL: baseUrl, HAVN_AUTH_URL: authUrl, HAVN_ONBOARDING_URL: onboardingUrl }
}

function readerOf(environment: Environment, problems: string[]) {
  const given = (name: string) => environment[name]?.trim() || undefined
  const url = (name: string, text: string) => {
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
      problems.push(`${name} must be an http or https address, not "${text}"`)
    }
    return text.replace(/\/+$/, '')
  }
  return {
    text: (name: string, otherwise: string) => given(name) ?? otherwise,
    required: (name: string, meaning: string) => {
      const text = given(name)
      if (text === undefined) {
        problems.push(`${name} is missing: ${meaning}`)
      }
      return text ?? ''
    },
    integer: (name: string, otherwise: number, [least, most]: readonly [number, number] = WHOLE_NUMBERS) => {
      const text = given(name) ?? String(otherwise)
      if (!/^\d{1,9}$/.test(text)) {
        problems.push(`${name} must be a whole number, not "${text}"`)
      } else if (Number(text) < least || Number(text) > most) {
        problems.push(`${name} must be between ${least} and ${most}, not ${text}`)
      }
      return Number(text)
    },
    oneOf: <const Choice extends string>(name: string, choices: readonly Choice[], otherwise: Choice): Choice => {
      const text = given(name) ?? otherwise
      const choice = choices.find((candidate) => candidate === text)
      if (choice === undefined) {
        problems.push(`${name} must be one of ${choices.join(', ')}, not "${text}"`)
      }
      return choice ?? otherwise
    },
    url: (name: string, otherwise: string) => url(name, given(name) ?? otherwise),
    optionalUrl: (name: string) => {
      const text = given(name)
      return text === undefined ? null : url(name, text)
    },
  }
}
