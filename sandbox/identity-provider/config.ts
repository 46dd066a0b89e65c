/** Reads the settings of the sandbox's identity provider from the environment; an error names the setting. */
import { type Environment, type LogLevel, readHostAndLogLevel, readPort, readUrl } from '../read-settings.ts'

export type ProviderConfig = {
  readonly host: string
  readonly port: number
  readonly controlPort: number
  readonly logLevel: LogLevel
  readonly url?: string
  /** The database in which faults survive a restart. */
  readonly connectionString?: string
}

const DEFAULT_PORT = 8084
const DEFAULT_CONTROL_PORT = 8094

export function readConfig(environment: Environment): ProviderConfig {
  const connectionString = environment['DATABASE_URL']?.trim() ?? ''
  const url = readUrl(environment, 'HAVN_SANDBOX_IDENTITY_URL')
  return {
    ...readHostAndLogLevel(environment),
    port: readPort(environment, 'HAVN_SANDBOX_IDENTITY_PORT', DEFAULT_PORT),
    controlPort: readPort(environment, 'HAVN_SANDBOX_IDENTITY_CONTROL_PORT', DEFAULT_CONTROL_PORT),
    ...(url === undefined ? {} : { url }),
    ...(connectionString === '' ? {} : { connectionString }),
  }
}
