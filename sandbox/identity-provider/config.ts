/** Reads the settings of the sandbox's identity provider from the environment; an error names the setting. */
import { type Environment, type LogLevel, readHostAndLogLevel, readPort, readUrl } from '../read-settings.ts'

export type ProviderConfig = {
  readonly host: string
  readonly port: number
  readonly logLevel: LogLevel
  readonly url?: string
}

const DEFAULT_PORT = 8084

export function readConfig(environment: Environment): ProviderConfig {
  const url = readUrl(environment, 'HAVN_SANDBOX_IDENTITY_URL')
  return {
    ...readHostAndLogLevel(environment),
    port: readPort(environment, 'HAVN_SANDBOX_IDENTITY_PORT', DEFAULT_PORT),
    ...(url === undefined ? {} : { url }),
  }
}
