/** Compares the tables of `docs/settings.md` with the settings that programs read. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../gateway/config/config.ts'
import { readStartSettings } from '../../launcher/start-settings.ts'
import { readConfig as readBankConfig } from '../../sandbox/bank/config.ts'
import { readConfig as readFxConfig } from '../../sandbox/fx/config.ts'
import { readConfig as readIdentityConfig } from '../../sandbox/identity-provider/config.ts'
import { settingsGuide } from './settings-guide.ts'

type Environment = Readonly<Record<string, string>>

/** A table by the line above it, and how its program reads the settings. */
type Table = {
  readonly heading: string
  readonly read: (environment: Environment) => unknown
  /** The file that reads them, where no table of settings is what the documentation is generated from. */
  readonly file?: string
  /** Settings that it shares with other programs, each group in a file of its own. */
  readonly shared?: readonly string[]
}

const DOCUMENT = await readFile(new URL('../../docs/settings.md', import.meta.url), 'utf8')
const DATABASE_URL = 'postgres://havn@localhost/havn'
/** The required settings of a gateway, and the mode in which no setting is ignored. */
const GATEWAY = { DATABASE_URL, HAVN_MASTER_KEY_FILE: 'master.key', HAVN_BASE_URL: 'https://havn.example' }
/** By `sandbox/read-settings.ts`. */
const SHARED = ['HAVN_HOST', 'HAVN_LOG_LEVEL']
const TABLES: readonly Table[] = [
  { heading: '`npm start` (the supervisor):', read: readStartSettings },
  {
    heading: '`havn gateway` and `havn worker`:',
    read: (environment) =>
      readConfig({ ...GATEWAY, ...('HAVN_MODE' in environment ? {} : { HAVN_MODE: 'sandbox' }), ...environment }),
  },
  {
    heading: 'The sandbox bank (`sandbox/bank/main.ts`):',
    file: '../../sandbox/bank/config.ts',
    read: (environment) => readBankConfig({ DATABASE_URL, ...environment }),
    shared: [...SHARED, 'DATABASE_URL'],
  },
  {
    heading: 'The sandbox identity provider (`sandbox/identity-provider/main.ts`):',
    file: '../../sandbox/identity-provider/config.ts',
    read: readIdentityConfig,
    shared: SHARED,
  },
  {
    heading: 'The sandbox FX provider (`sandbox/fx/main.ts`):',
    file: '../../sandbox/fx/config.ts',
    read: (environment) => readFxConfig({ DATABASE_URL, ...environment }),
    shared: [...SHARED, 'DATABASE_URL'],
  },
]
const VARIABLE = /'((?:HAVN|OTEL)_[A-Z0-9_]+|DATABASE_URL)'/g
const ROW = /^\| `([A-Z0-9_]+)` +\| (?:`([^`|]+)` +|[^|]*)\|/gm

it('has the tables that the settings make: npm run command-line-guide writes them', () => {
  expect(settingsGuide(DOCUMENT)).toBe(DOCUMENT)
  expect(settingsGuide(DOCUMENT.replaceAll(/^\| `HAVN_(PORT|FX_URL)`.*\n/gm, ''))).toBe(DOCUMENT)
})

describe.each(TABLES)('the table of settings below “$heading”', ({ heading, file, read, shared = [] }) => {
  it.runIf(file !== undefined)('lists every setting that the program reads, and no other', async () => {
    const source = await readFile(new URL(file ?? '', import.meta.url), 'utf8')
    const variables = [...source.matchAll(VARIABLE)].map(([, variable]) => variable)
    expect(variables).not.toEqual([])
    expect(
      rowsBelow(heading)
        .map(({ variable }) => variable)
        .toSorted(),
    ).toEqual([...new Set([...variables, ...shared])].sort())
  })

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
