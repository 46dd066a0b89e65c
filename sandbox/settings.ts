/** The tables of the settings of the sandbox's programs; each reads its own once at start, and reports all errors together. */
import {
  combined,
  type Environment,
  integer,
  oneOf,
  openSource,
  optional,
  optionalUrl,
  readSettings,
  required,
  type Setting,
  text,
  type ValuesOf,
  type Variable,
} from '../gateway/platform/setting.ts'

const PORTS = [0, 65_535] as const
const host = text('HAVN_HOST', '127.0.0.1', 'the address to listen on')
const logLevel = oneOf('HAVN_LOG_LEVEL', 'info', ['debug', 'info', 'warn', 'error', 'silent'], 'as above')

const TRUST_FILES = {
  certificate: optional(
    'HAVN_SANDBOX_XS2A_CERTIFICATE_FILE',
    'server certificate of the XS2A API (PEM): with it, the API is https and requires client certificates and signatures',
    'public',
  ),
  key: optional('HAVN_SANDBOX_XS2A_KEY_FILE', 'its private key', 'secret'),
  clientAuthorities: optional(
    'HAVN_SANDBOX_XS2A_CLIENT_CA_FILE',
    'certificate authorities of the accepted client certificates (PEM)',
    'public',
  ),
}

/** All of them or none: TLS settings are only valid as a whole. */
const trustFiles = combined(TRUST_FILES, (files, { given, reject }) => {
  const { certificate, key, clientAuthorities } = files
  if (certificate !== null && key !== null && clientAuthorities !== null) {
    return { certificate, key, clientAuthorities }
  }
  const names = variablesOf(TRUST_FILES).map(({ name }) => name)
  const missing = names.filter((name) => given(name) === undefined)
  if (missing.length < names.length) {
    reject(`${missing.join(' and ')} is missing: certificate, key and authorities go together`)
  }
  return null
})

export const BANK_SETTINGS = {
  connectionString: required(
    { name: 'DATABASE_URL', meaning: "PostgreSQL; the sandbox bank's tables are in a schema of their own" },
    'the sandbox bank stores its books in PostgreSQL',
  ),
  host,
  pagesPort: integer('HAVN_SANDBOX_BANK_PORT', 8081, 'port of the pages and the control API', PORTS),
  xs2aPort: integer(
    'HAVN_SANDBOX_XS2A_PORT',
    8101,
    'port of the XS2A API of the first bank; each other bank has the next one',
    PORTS,
  ),
  trustFiles,
  pagesUrl: optionalUrl(
    'HAVN_SANDBOX_BANK_URL',
    'URL of the pages in links for browsers; by default where they listen',
  ),
  fxUrl: optionalUrl(
    'HAVN_SANDBOX_FX_URL',
    'the control API of the FX provider, which is notified of payments to its accounts',
  ),
  logLevel,
}
export type BankConfig = ValuesOf<typeof BANK_SETTINGS>

export const IDENTITY_PROVIDER_SETTINGS = {
  connectionString: optional(
    'DATABASE_URL',
    'PostgreSQL, where simulated faults survive a restart; without it they end with the program',
  ),
  host,
  port: integer('HAVN_SANDBOX_IDENTITY_PORT', 8084, 'port of the pages and the protocol', PORTS),
  controlPort: integer('HAVN_SANDBOX_IDENTITY_CONTROL_PORT', 8094, 'port of the control API', PORTS),
  url: optionalUrl(
    'HAVN_SANDBOX_IDENTITY_URL',
    'its URL as issuer and in links for browsers; by default where it listens',
  ),
  logLevel,
}

export const FX_SETTINGS = {
  connectionString: required(
    { name: 'DATABASE_URL', meaning: "PostgreSQL; the provider's tables are in a schema of their own" },
    "the sandbox's provider of exchange stores its books in PostgreSQL",
  ),
  host,
  port: integer('HAVN_SANDBOX_FX_PORT', 8085, 'port of its API', PORTS),
  controlPort: integer('HAVN_SANDBOX_FX_CONTROL_PORT', 8095, 'port of its page and control API', PORTS),
  noticeUrl: optionalUrl('HAVN_SANDBOX_FX_NOTICE_URL', 'URL for its push notifications; without it, none are sent'),
  logLevel,
}

type Table = Readonly<Record<string, Setting<unknown>>>

/** The variables of the settings of a program, in the order of the documentation. */
export function variablesOf(table: Table): readonly Variable[] {
  return Object.values(table).flatMap(({ variables }) => variables)
}

/** Reads the settings of a program; throws one error that lists everything wrong with them. */
export function readProgramSettings<Settings extends Table>(
  table: Settings,
  environment: Environment,
): ValuesOf<Settings> {
  const { source, errors } = openSource(environment)
  const settings = readSettings(table, source)
  if (errors.size > 0) {
    throw new Error([...errors].join('\n'))
  }
  return settings
}
