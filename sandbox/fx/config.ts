/** Reads the settings of the sandbox's provider of exchange from the environment; a wrong or missing one names itself. */

export type ProviderConfig = {
  readonly connectionString: string
  readonly host: string
  readonly port: number
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** Where notifications go; nobody is told without. */
  readonly noticeUrl?: string
}

const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PORT = 8085
const PORT_MAX = 65_535
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the settings. */
export function readConfig(environment: Environment): ProviderConfig {
  const connectionString = environment['DATABASE_URL']
  if (connectionString === undefined || connectionString === '') {
    throw new Error("DATABASE_URL is missing: the sandbox's provider of exchange keeps its books in PostgreSQL")
  }
  const noticeUrl = environment['HAVN_SANDBOX_FX_NOTICE_URL']
  return {
    connectionString,
    host: environment['HAVN_HOST'] ?? DEFAULT_HOST,
    port: port(environment['HAVN_SANDBOX_FX_PORT'] ?? String(DEFAULT_PORT)),
    logLevel: logLevel(environment['HAVN_LOG_LEVEL'] ?? 'info'),
    ...(noticeUrl === undefined || noticeUrl === '' ? {} : { noticeUrl }),
  }
}

function port(text: string): number {
  const number = Number(text)
  if (!/^[0-9]+$/.test(text) || number > PORT_MAX) {
    throw new Error(`HAVN_SANDBOX_FX_PORT is ${JSON.stringify(text)}: it must be a port, 0 to ${PORT_MAX}`)
  }
  return number
}

function logLevel(text: string): ProviderConfig['logLevel'] {
  const level = LOG_LEVELS.find((one) => one === text)
  if (level === undefined) {
    throw new Error(`HAVN_LOG_LEVEL is ${JSON.stringify(text)}: it must be one of ${LOG_LEVELS.join(', ')}`)
  }
  return level
}
