/** Guards that SQL names only tables of its own module: reads the statements, not the imports. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readSourceFiles } from '../setup/source-files.ts'
import { findForeignSql, tablesIn } from '../setup/structure/find-foreign-sql.ts'

/** Lists over several partners go through the table that all others are keyed by, with one fragment. */
const OF_ALL = { path: 'gateway/platform/database/sql-fragments.ts', table: 'partners' }

/**
 * What is left, by file. It only shrinks: ask the module that owns a table for a typed read model instead of adding a
 * line, and delete the line that is no longer true.
 */
const LEFT: Readonly<Record<string, readonly string[]>> = {
  'gateway/simulation/data-sets/data-set-store.ts': [
    'clients',
    'companies',
    'console_invitations',
    'console_passkeys',
    'console_sessions',
    'console_users',
    'partners',
    'payment_count_positions',
    'payment_daily_counts',
  ],
  'gateway/simulation/data-sets/history-store.ts': [
    'approval_payments',
    'approvals',
    'consents',
    'event_positions',
    'events',
    'payment_history',
    'payments',
    'request_log_sizes',
  ],
}

test('statements name no table of another module, but for those that are left', async () => {
  const tables = tablesIn([await readFile(new URL('schema.sql', import.meta.url), 'utf8')])
  const foreign = findForeignSql(await readSourceFiles(), tables)
  expect(foreign).toContainEqual(expect.objectContaining(OF_ALL))
  const used = foreign
    .filter(({ path, table }) => path !== OF_ALL.path || table !== OF_ALL.table)
    .map(({ path, table }) => `${path}: ${table}`)
  const left = Object.entries(LEFT).flatMap(([path, names]) => names.map((table) => `${path}: ${table}`))
  expect([...new Set(used)].sort()).toEqual(left.toSorted())
})
