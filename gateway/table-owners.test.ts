/** Guards that SQL names only tables of its own module: reads the statements, not the imports. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readSourceFiles } from '../setup/source-files.ts'
import { findForeignSql, tablesIn } from '../setup/structure/find-foreign-sql.ts'

test('statements name no table of another module', async () => {
  const tables = tablesIn([await readFile(new URL('schema.sql', import.meta.url), 'utf8')])
  expect(tables).toContain('payments')
  const foreign = findForeignSql(await readSourceFiles(), tables)
  expect(foreign).toEqual([])
})
