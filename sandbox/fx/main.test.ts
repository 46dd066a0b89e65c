/** Tests the sandbox's FX provider as a separate program. */
import { afterAll, beforeAll } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../gateway/testing/database/fresh-database.ts'
import { FX_SETTINGS } from '../settings.ts'
import { programGuarantees } from '../testing/program-guarantees.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

programGuarantees({
  main: new URL('./main.ts', import.meta.url),
  table: FX_SETTINGS,
  pages: 'controlUrl',
  settings: () => ({
    DATABASE_URL: database.connectionString,
    HAVN_SANDBOX_FX_PORT: '0',
    HAVN_SANDBOX_FX_CONTROL_PORT: '0',
  }),
  wrong: [
    ['DATABASE_URL', ''],
    ['HAVN_SANDBOX_FX_PORT', '80000'],
  ],
})
