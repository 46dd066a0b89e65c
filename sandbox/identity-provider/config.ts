/** Reads the settings of the sandbox's identity provider from the environment; a wrong one names itself. */
import { type Environment, type LogLevel, readAddress, readHostAndLogLevel, readPort } from '../read-settings.ts'

export type ProviderConfig = {
  readonly host: string
  readonly port: number
  readonly logLevel: LogLevel
  readonly url?: string
}

const DEFAULT_PORT = 8084

/** Reads the settings. */
export function readConfig(environment: Environment): ProviderConfig {
  const url = readAddress(environment, 'HAVN_SANDBOX_IDENTITY_URL')
  return {
    ...readHostAndLogLevel(environment),
    port: readPort(environment, 'HAVN_SANDBOX_IDENTITY_PORT', DEFAULT_PORT),
    ...(url === undefined ? {} : { url }),
  }
}
