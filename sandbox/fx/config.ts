/** Reads the settings of the sandbox's provider of exchange from the environment; a wrong or missing one names itself. */
import { type Environment, type LogLevel, readBooks, readHostAndLogLevel, readPort } from '../read-settings.ts'

export type ProviderConfig = {
  readonly connectionString: string
  readonly host: string
  readonly port: number
  readonly logLevel: LogLevel
  /** Where notifications go; nobody is told without. */
  readonly noticeUrl?: string
}

const DEFAULT_PORT = 8085

/** Reads the settings. */
export function readConfig(environment: Environment): ProviderConfig {
  const noticeUrl = environment['HAVN_SANDBOX_FX_NOTICE_URL']
  return {
    connectionString: readBooks(environment, "the sandbox's provider of exchange"),
    ...readHostAndLogLevel(environment),
    port: readPort(environment, 'HAVN_SANDBOX_FX_PORT', DEFAULT_PORT),
    ...(noticeUrl === undefined || noticeUrl === '' ? {} : { noticeUrl }),
  }
}
