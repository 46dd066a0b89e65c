/** Guards that SQL names only tables of its own module: reads the statements, not the imports. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readSourceFiles } from '../setup/source-files.ts'
import { findForeignSql, tablesIn } from '../setup/structure/find-foreign-sql.ts'

/** Lists over several partners go through the table that all others are keyed by, with one fragment. */
const OF_ALL = { path: 'gateway/platform/database/sql-fragments.ts', table: 'partners' }

/** What is left, by module. It may only shrink: ask the module that owns a table for a typed read model instead. */
const LEFT: Readonly<Record<string, readonly string[]>> = {
  console: [
    'approval_payments',
    'approvals',
    'cancellations',
    'clients',
    'consents',
    'events',
    'expired_orders',
    'fx_deals',
    'fx_quotes',
    'onboardings',
    'operator_tasks',
    'partners',
    'payment_files',
    'payment_history',
    'payments',
    'payroll_cancellations',
    'payroll_transactions',
    'payrolls',
    'request_log_sizes',
    'sca_steps',
    'webhook_deliveries',
    'webhook_subscriptions',
  ],
  'gateway/orders': ['idempotency', 'sca_sessions', 'sca_steps'],
  'gateway/payrolls': ['payroll_bulks'],
  'gateway/simulation': [
    'approval_payments',
    'approvals',
    'clients',
    'companies',
    'consents',
    'console_invitations',
    'console_passkeys',
    'console_sessions',
    'console_users',
    'event_positions',
    'events',
    'partners',
    'payment_count_positions',
    'payment_daily_counts',
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
    .map(({ path, table }) => `${moduleOf(path)}: ${table}`)
  const left = Object.entries(LEFT).flatMap(([module, names]) => names.map((table) => `${module}: ${table}`))
  expect([...new Set(used)].filter((use) => !left.includes(use))).toEqual([])
})

function moduleOf(path: string): string {
  const [first = '', second = ''] = path.split('/')
  return first === 'gateway' ? `${first}/${second}` : first
}
