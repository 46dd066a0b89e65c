/** Reads the sandbox bank's settings from the environment; an error names the setting. */
import {
  type Environment,
  type LogLevel,
  readConnectionString,
  readHostAndLogLevel,
  readPort,
  readUrl,
} from '../read-settings.ts'

export type BankConfig = {
  readonly connectionString: string
  readonly host: string
  readonly pagesPort: number
  readonly xs2aPort: number
  readonly logLevel: LogLevel
  readonly pagesUrl?: string
  /** Control URL of the FX provider. */
  readonly fxUrl?: string
  /** Files of the XS2A server's certificate and key, and of the authorities of accepted client certificates. */
  readonly trustFiles?: { readonly certificate: string; readonly key: string; readonly clientAuthorities: string }
}

const DEFAULT_PAGES_PORT = 8081
const DEFAULT_XS2A_PORT = 8101

export function readConfig(environment: Environment): BankConfig {
  const pagesUrl = readUrl(environment, 'HAVN_SANDBOX_BANK_URL')
  const fxUrl = readUrl(environment, 'HAVN_SANDBOX_FX_URL')
  return {
    connectionString: readConnectionString(environment, 'the sandbox bank'),
    ...readHostAndLogLevel(environment),
    pagesPort: readPort(environment, 'HAVN_SANDBOX_BANK_PORT', DEFAULT_PAGES_PORT),
    xs2aPort: readPort(environment, 'HAVN_SANDBOX_XS2A_PORT', DEFAULT_XS2A_PORT),
    ...readTrustFiles(environment),
    ...(fxUrl === undefined ? {} : { fxUrl }),
    ...(pagesUrl === undefined ? {} : { pagesUrl }),
  }
}

/** All of them or none: TLS settings are only valid as a whole. */
function readTrustFiles(environment: Environment): Pick<BankConfig, 'trustFiles'> {
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
