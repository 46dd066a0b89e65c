/** Reads the settings that every program of the sandbox has from the environment; a wrong one names itself. */
import type { LogSettings } from '../gateway/platform/observability/log.ts'

export type Environment = Readonly<Record<string, string | undefined>>
export type LogLevel = LogSettings['level']

const DEFAULT_HOST = '127.0.0.1'
const PORT_MAX = 65_535
const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent']

/** The address to listen at, and how much is logged. */
export function readHostAndLogLevel(environment: Environment): { readonly host: string; readonly logLevel: LogLevel } {
  const text = environment['HAVN_LOG_LEVEL'] ?? 'info'
  const logLevel = LOG_LEVELS.find((one) => one === text)
  if (logLevel === undefined) {
    throw new Error(`HAVN_LOG_LEVEL is ${JSON.stringify(text)}: it must be one of ${LOG_LEVELS.join(', ')}`)
  }
  return { host: environment['HAVN_HOST'] ?? DEFAULT_HOST, logLevel }
}

/** A port to listen on; 0 selects a free one. */
export function readPort(environment: Environment, name: string, fallback: number): number {
  const text = environment[name] ?? String(fallback)
  const number = Number(text)
  if (!/^[0-9]+$/.test(text) || number > PORT_MAX) {
    throw new Error(`${name} is ${JSON.stringify(text)}: it must be a port, 0 to ${PORT_MAX}`)
  }
  return number
}

/** An address without its final slash; undefined where none is set. */
export function readUrl(environment: Environment, name: string): string | undefined {
  const text = environment[name] ?? ''
  return text === '' ? undefined : text.replace(/\/$/, '')
}

/** Where the books are; `whose` names the program in the error. */
export function readConnectionString(environment: Environment, whose: string): string {
  const connectionString = environment['DATABASE_URL'] ?? ''
  if (connectionString === '') {
    throw new Error(`DATABASE_URL is missing: ${whose} stores its books in PostgreSQL`)
  }
  return connectionString
}
