/** Reads the settings of the sandbox's FX provider from the environment; an error names the setting. */
import {
  type Environment,
  type LogLevel,
  readConnectionString,
  readHostAndLogLevel,
  readPort,
} from '../read-settings.ts'

export type ProviderConfig = {
  readonly connectionString: string
  readonly host: string
  readonly port: number
  readonly controlPort: number
  readonly logLevel: LogLevel
  /** URL for notifications; none are sent without it. */
  readonly noticeUrl?: string
}

const DEFAULT_PORT = 8085
const DEFAULT_CONTROL_PORT = 8095

export function readConfig(environment: Environment): ProviderConfig {
  const noticeUrl = environment['HAVN_SANDBOX_FX_NOTICE_URL']
  return {
    connectionString: readConnectionString(environment, "the sandbox's provider of exchange"),
    ...readHostAndLogLevel(environment),
    port: readPort(environment, 'HAVN_SANDBOX_FX_PORT', DEFAULT_PORT),
    controlPort: readPort(environment, 'HAVN_SANDBOX_FX_CONTROL_PORT', DEFAULT_CONTROL_PORT),
    ...(noticeUrl === undefined || noticeUrl === '' ? {} : { noticeUrl }),
  }
}
