/** Tests the sandbox bank as a separate program. */
import { afterAll, beforeAll } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../gateway/testing/database/fresh-database.ts'
import { BANK_SETTINGS } from '../settings.ts'
import { programGuarantees } from '../testing/program-guarantees.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

programGuarantees({
  main: new URL('./main.ts', import.meta.url),
  table: BANK_SETTINGS,
  pages: 'pagesUrl',
  settings: () => ({
    DATABASE_URL: database.connectionString,
    HAVN_SANDBOX_BANK_PORT: '0',
    HAVN_SANDBOX_XS2A_PORT: '0',
  }),
  wrong: [
    ['DATABASE_URL', ''],
    ['HAVN_SANDBOX_XS2A_PORT', '80000'],
  ],
})
