/** Reads the sandbox bank's settings from the environment; a wrong or missing one names itself. */

export type BankConfig = {
  readonly connectionString: string
  readonly host: string
  readonly pagesPort: number
  readonly xs2aPort: number
  readonly logLevel: (typeof LOG_LEVELS)[number]
  readonly pagesUrl?: string
  /** Control address of the provider of exchange. */
  readonly fxUrl?: string
  /** Files of XS2A's own certificate and key, and of the authorities whose client certificates are good. */
  readonly trustFiles?: { readonly certificate: string; readonly key: string; readonly clientAuthorities: string }
}

const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PAGES_PORT = 8081
const DEFAULT_XS2A_PORT = 8083
const PORT_MAX = 65_535
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the settings. */
export function readConfig(environment: Environment): BankConfig {
  const connectionString = environment['DATABASE_URL']
  if (connectionString === undefined || connectionString === '') {
    throw new Error('DATABASE_URL is missing: the sandbox bank keeps its books in PostgreSQL')
  }
  const pagesUrl = environment['HAVN_SANDBOX_BANK_URL']
  const fxUrl = environment['HAVN_SANDBOX_FX_URL']
  return {
    connectionString,
    host: environment['HAVN_HOST'] ?? DEFAULT_HOST,
    pagesPort: port(environment, 'HAVN_SANDBOX_BANK_PORT', DEFAULT_PAGES_PORT),
    xs2aPort: port(environment, 'HAVN_SANDBOX_XS2A_PORT', DEFAULT_XS2A_PORT),
    logLevel: logLevel(environment['HAVN_LOG_LEVEL'] ?? 'info'),
    ...trustFilesOf(environment),
    ...(fxUrl === undefined || fxUrl === '' ? {} : { fxUrl: fxUrl.replace(/\/$/, '') }),
    ...(pagesUrl === undefined || pagesUrl === '' ? {} : { pagesUrl: pagesUrl.replace(/\/$/, '') }),
  }
}

/** All of them, or none: half a trust would be none. */
function trustFilesOf(environment: Environment): Pick<BankConfig, 'trustFiles'> {
  const names = ['HAVN_SANDBOX_XS2A_CERTIFICATE_FILE', 'HAVN_SANDBOX_XS2A_KEY_FILE', 'HAVN_SANDBOX_XS2A_CLIENT_CA_FILE']
  const given = names.map((name) => environment[name] ?? '')
  const missing = names.filter((_name, index) => given[index] === '')
  if (missing.length === names.length) {
    return {}
  }
  if (missing.length > 0) {
    throw new Error(`${missing.join(' and ')} is missing: certificate, key and authorities go together`)
  }
  const [certificate = '', key = '', clientAuthorities = ''] = given
  return { trustFiles: { certificate, key, clientAuthorities } }
}

function port(environment: Environment, name: string, fallback: number): number {
  const text = environment[name] ?? String(fallback)
  const number = Number(text)
  if (!/^[0-9]+$/.test(text) || number > PORT_MAX) {
    throw new Error(`${name} is ${JSON.stringify(text)}: it must be a port, 0 to ${PORT_MAX}`)
  }
  return number
}

function logLevel(text: string): BankConfig['logLevel'] {
  const level = LOG_LEVELS.find((one) => one === text)
  if (level === undefined) {
    throw new Error(`HAVN_LOG_LEVEL is ${JSON.stringify(text)}: it must be one of ${LOG_LEVELS.join(', ')}`)
  }
  return level
}
