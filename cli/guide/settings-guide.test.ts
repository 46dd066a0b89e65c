/** Compares the tables of `docs/settings.md` with the settings that programs read. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../gateway/config/config.ts'
import { readStartSettings } from '../../launcher/start-settings.ts'
import { BANK_SETTINGS, FX_SETTINGS, IDENTITY_PROVIDER_SETTINGS, readProgramSettings } from '../../sandbox/settings.ts'
import { settingsGuide } from './settings-guide.ts'

type Environment = Readonly<Record<string, string>>

/** A table by the line above it, and how its program reads the settings. */
type Table = {
  readonly heading: string
  readonly read: (environment: Environment) => unknown
}

const DOCUMENT = await readFile(new URL('../../docs/settings.md', import.meta.url), 'utf8')
const DATABASE_URL = 'postgres://havn@localhost/havn'
/** The required settings of a gateway, and the mode in which no setting is ignored. */
const GATEWAY = { DATABASE_URL, HAVN_MASTER_KEY_FILE: 'master.key', HAVN_BASE_URL: 'https://havn.example' }
const TABLES: readonly Table[] = [
  { heading: '`npm start` (the supervisor):', read: readStartSettings },
  {
    heading: '`havn gateway` and `havn worker`:',
    read: (environment) =>
      readConfig({ ...GATEWAY, ...('HAVN_MODE' in environment ? {} : { HAVN_MODE: 'sandbox' }), ...environment }),
  },
  {
    heading: 'The sandbox bank (`sandbox/bank/main.ts`):',
    read: (environment) => readProgramSettings(BANK_SETTINGS, { DATABASE_URL, ...environment }),
  },
  {
    heading: 'The sandbox identity provider (`sandbox/identity-provider/main.ts`):',
    read: (environment) => readProgramSettings(IDENTITY_PROVIDER_SETTINGS, environment),
  },
  {
    heading: 'The sandbox FX provider (`sandbox/fx/main.ts`):',
    read: (environment) => readProgramSettings(FX_SETTINGS, { DATABASE_URL, ...environment }),
  },
]
const ROW = /^\| `([A-Z0-9_]+)` +\| (?:`([^`|]+)` +|[^|]*)\|/gm

it('has the tables that the settings make: npm run command-line-guide writes them', () => {
  expect(settingsGuide(DOCUMENT)).toBe(DOCUMENT)
  expect(settingsGuide(DOCUMENT.replaceAll(/^\| `HAVN_(PORT|FX_URL)`.*\n/gm, ''))).toBe(DOCUMENT)
})

describe.each(TABLES)('the table of settings below “$heading”', ({ heading, read }) => {
  it('has the defaults of the program', () => {
    const withDefault = rowsBelow(heading).filter(({ byDefault }) => byDefault !== undefined)
    expect(withDefault).not.toEqual([])
    for (const { variable, byDefault = '' } of withDefault) {
      // The mode decides which other settings count, so its default is compared in that very mode.
      const silent = variable === 'HAVN_MODE' ? readConfig(GATEWAY) : read({})
      expect({ variable, settings: read({ [variable]: byDefault }) }).toEqual({ variable, settings: silent })
    }
  })
})

function rowsBelow(heading: string): readonly { variable: string; byDefault: string | undefined }[] {
  const [, table = ''] = DOCUMENT.slice(DOCUMENT.indexOf(heading)).split('\n\n')
  return [...table.matchAll(ROW)].map(([, variable = '', byDefault]) => ({ variable, byDefault }))
}
