/** Guards that SQL names only tables of its own module: reads the statements, not the imports. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readSourceFiles } from '../setup/source-files.ts'
import { findForeignSql, tablesIn } from '../setup/structure/find-foreign-sql.ts'

/** Lists over several partners go through the table that all others are keyed by, with one fragment. */
const OF_ALL = { path: 'gateway/platform/database/sql-fragments.ts', table: 'partners' }

test('statements name no table of another module', async () => {
  const tables = tablesIn([await readFile(new URL('schema.sql', import.meta.url), 'utf8')])
  const foreign = findForeignSql(await readSourceFiles(), tables)
  expect(foreign).toContainEqual(expect.objectContaining(OF_ALL))
  expect(foreign.filter(({ path, table }) => path !== OF_ALL.path || table !== OF_ALL.table)).toEqual([])
})
