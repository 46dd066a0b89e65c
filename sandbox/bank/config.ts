/** Reads the sandbox bank's settings from the environment; a wrong or missing one names itself. */
import {
  type Environment,
  type LogLevel,
  readAddress,
  readBooks,
  readHostAndLogLevel,
  readPort,
} from '../read-settings.ts'

export type BankConfig = {
  readonly connectionString: string
  readonly host: string
  readonly pagesPort: number
  readonly xs2aPort: number
  readonly logLevel: LogLevel
  readonly pagesUrl?: string
  /** Control address of the provider of exchange. */
  readonly fxUrl?: string
  /** Files of XS2A's own certificate and key, and of the authorities whose client certificates are good. */
  readonly trustFiles?: { readonly certificate: string; readonly key: string; readonly clientAuthorities: string }
}

const DEFAULT_PAGES_PORT = 8081
const DEFAULT_XS2A_PORT = 8083

/** Reads the settings. */
export function readConfig(environment: Environment): BankConfig {
  const pagesUrl = readAddress(environment, 'HAVN_SANDBOX_BANK_URL')
  const fxUrl = readAddress(environment, 'HAVN_SANDBOX_FX_URL')
  return {
    connectionString: readBooks(environment, 'the sandbox bank'),
    ...readHostAndLogLevel(environment),
    pagesPort: readPort(environment, 'HAVN_SANDBOX_BANK_PORT', DEFAULT_PAGES_PORT),
    xs2aPort: readPort(environment, 'HAVN_SANDBOX_XS2A_PORT', DEFAULT_XS2A_PORT),
    ...trustFilesOf(environment),
    ...(fxUrl === undefined ? {} : { fxUrl }),
    ...(pagesUrl === undefined ? {} : { pagesUrl }),
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
