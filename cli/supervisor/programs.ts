/** Lists the programs that make up a whole Havn on one machine, and the settings each of them gets. */
import { fileURLToPath } from 'node:url'
import { addressOf, LOOPBACK, type StartSettings } from './settings.ts'

/** A program that runs as a process of its own. */
export type Program = {
  readonly name: string
  readonly file: string
  readonly options: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** What the programs of one start have in common. */
export type Surroundings = {
  readonly settings: StartSettings
  readonly connectionString: string
  readonly masterKeyFile: string
}

/** The programs in groups: all start at once; a group is stopped when those after it have ended. */
export function programsOf(surroundings: Surroundings): readonly (readonly Program[])[] {
  const environment = gatewayEnvironment(surroundings)
  return [
    [
      {
        name: 'sandbox bank',
        file: pathOf('../../sandbox/bank/main.ts'),
        options: [],
        environment: sandboxBankEnvironment(surroundings),
      },
    ],
    ['gateway', 'worker'].map((role) => ({
      name: role,
      file: pathOf('../../gateway/main.ts'),
      options: [role],
      environment,
    })),
  ]
}

function gatewayEnvironment({ settings, connectionString, masterKeyFile }: Surroundings): Record<string, string> {
  const address = addressOf(settings.ports.gateway)
  return {
    HAVN_MODE: 'sandbox',
    DATABASE_URL: connectionString,
    HAVN_MASTER_KEY_FILE: masterKeyFile,
    HAVN_HOST: LOOPBACK,
    HAVN_PORT: String(settings.ports.gateway.number),
    HAVN_BASE_URL: address,
    HAVN_AUTH_URL: address,
    HAVN_ONBOARDING_URL: address,
    HAVN_SANDBOX_BANK_URL: addressOf(settings.ports.sandboxBank),
    HAVN_SANDBOX_XS2A_URL: addressOf(settings.ports.sandboxXs2a),
    // Credentials that everybody knows belong into a database that only this machine reaches.
    ...(settings.databaseUrl === undefined ? { HAVN_DEMO: '1' } : {}),
  }
}

function sandboxBankEnvironment({ settings, connectionString }: Surroundings): Record<string, string> {
  return {
    DATABASE_URL: connectionString,
    HAVN_HOST: LOOPBACK,
    HAVN_SANDBOX_BANK_PORT: String(settings.ports.sandboxBank.number),
    HAVN_SANDBOX_XS2A_PORT: String(settings.ports.sandboxXs2a.number),
    HAVN_SANDBOX_BANK_URL: addressOf(settings.ports.sandboxBank),
  }
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}
