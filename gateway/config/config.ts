/** The table of all settings of gateway and worker; reads them once at start, and reports all errors together. */

import {
  type Environment,
  openSource,
  readSettings,
  type Setting,
  type ValuesOf,
  type Variable,
} from '../platform/setting.ts'
import { BANK_SETTINGS, bankProfilesFolder, CERTIFICATE_SETTINGS, type CertificateSettings } from './bank-settings.ts'
import { companyRegistries } from './company-registry-settings.ts'
import { consoleProvider } from './console-settings.ts'
import { DATABASE_SETTINGS } from './database-settings.ts'
import { FX_SETTINGS } from './fx-settings.ts'
import { identityProviders } from './identity-provider-settings.ts'
import { SANDBOX_SETTINGS } from './sandbox-settings.ts'
import { modeSetting, SERVER_SETTINGS } from './server-settings.ts'

/** Every setting by its name in `Config`; `docs/settings.md`, doctor and the checks of installations follow from it. */
const SETTINGS = {
  ...DATABASE_SETTINGS,
  ...SERVER_SETTINGS,
  ...BANK_SETTINGS,
  companyRegistries,
  identityProviders,
  consoleProvider,
  ...FX_SETTINGS,
  ...SANDBOX_SETTINGS,
}

/** The values of all settings. */
export type Config = ValuesOf<typeof SETTINGS>

/** The variables of all settings, in the order of the documentation. */
export const SETTING_VARIABLES: readonly Variable[] = Object.values<Setting<unknown>>(SETTINGS).flatMap(
  ({ variables }) => variables,
)

/** Thrown when the program cannot start with its settings. */
export class ConfigError extends Error {}

/** Reads the settings. Throws one error that lists everything wrong with them; a worker requires more of them. */
export function readConfig(environment: Environment, role: 'gateway' | 'worker' = 'gateway'): Config {
  const { config, errors } = inspectConfig(environment, role)
  throwIfInvalid(errors)
  return config
}

/** Settings with what is wrong with them; an invalid one has its default or its invalid value. */
type InspectedConfig = { readonly config: Config; readonly errors: readonly string[] }

/** Reads the settings for a program that reports what is wrong with them, and does not stop. */
export function inspectConfig(environment: Environment, role: 'gateway' | 'worker'): InspectedConfig {
  const { source, errors } = sourceOf(environment, role)
  const config = readSettings(SETTINGS, source)
  return { config, errors: [...errors] }
}

/** Reads only the certificates; throws as `readConfig` does. */
export function readCertificateSettings(environment: Environment): CertificateSettings {
  const { source, errors } = sourceOf(environment, 'gateway')
  const settings = readSettings(CERTIFICATE_SETTINGS, source)
  throwIfInvalid([...errors])
  return settings
}

/** The operator's folder of bank profiles, which commands read without any other setting. */
export function readBankProfilesFolder(environment: Environment): string | null {
  return bankProfilesFolder.read(sourceOf(environment, 'gateway').source)
}

/** The mode decides how others are read. */
function sourceOf(environment: Environment, role: 'gateway' | 'worker') {
  const { source, errors } = openSource(environment, role)
  return { source: { ...source, mode: modeSetting.read(source) }, errors }
}

function throwIfInvalid(errors: readonly string[]): void {
  if (errors.length > 0) {
    throw new ConfigError(`The settings are invalid:\n${errors.map((error) => `  - ${error}`).join('\n')}`)
  }
}
