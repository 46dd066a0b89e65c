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
  'console/figures/figures-store.ts': ['partners', 'payments'],
  'console/home/first-steps/first-steps-store.ts': [
    'clients',
    'consents',
    'payments',
    'webhook_deliveries',
    'webhook_subscriptions',
  ],
  'console/home/overview-store.ts': [
    'approval_payments',
    'approvals',
    'fx_deals',
    'operator_tasks',
    'partners',
    'payments',
    'webhook_subscriptions',
  ],
  'console/onboardings/onboarding-store.ts': ['onboardings', 'partners'],
  'console/payments/payment-list-store.ts': ['partners', 'payments'],
  'console/payments/payment-search-store.ts': ['partners', 'payments'],
  'console/payments/payment-timeline-store.ts': [
    'approval_payments',
    'approvals',
    'cancellations',
    'consents',
    'events',
    'expired_orders',
    'fx_deals',
    'operator_tasks',
    'payment_history',
    'webhook_deliveries',
    'webhook_subscriptions',
  ],
  'console/payments/payment-versions.ts': [
    'approval_payments',
    'approvals',
    'cancellations',
    'fx_deals',
    'operator_tasks',
    'sca_steps',
  ],
  'console/payrolls/payroll-store.ts': ['partners', 'payment_files', 'payments', 'payroll_transactions', 'payrolls'],
  'console/payrolls/payroll-timeline-store.ts': [
    'approval_payments',
    'approvals',
    'consents',
    'operator_tasks',
    'payment_history',
    'payments',
    'payroll_cancellations',
  ],
  'console/payrolls/payroll-transaction-store.ts': ['payments', 'payroll_transactions', 'payrolls'],
  'console/payrolls/payroll-versions.ts': [
    'approval_payments',
    'approvals',
    'cancellations',
    'payments',
    'payroll_cancellations',
    'payrolls',
  ],
  'console/records/record-list-store.ts': ['partners'],
  'console/records/record-lists.ts': [
    'approval_payments',
    'approvals',
    'cancellations',
    'consents',
    'fx_deals',
    'fx_quotes',
    'onboardings',
    'payments',
    'payrolls',
  ],
  'console/records/require-visible-record.ts': ['partners'],
  'console/requests/request-log-versions.ts': ['request_log_sizes'],
  'console/search/id-search-store.ts': ['partners', 'payroll_transactions'],
  'console/tasks/task-subject.ts': ['fx_deals', 'onboardings', 'payments', 'payrolls'],
  'console/webhooks/event-store.ts': ['events', 'partners', 'payments'],
  'console/webhooks/subscription-store.ts': ['partners', 'webhook_subscriptions'],
  'gateway/orders/sign/require-payer.ts': ['sca_sessions', 'sca_steps'],
  'gateway/orders/store/submission-outcome-store.ts': ['idempotency'],
  'gateway/payrolls/cancel-bulk.ts': ['payroll_bulks'],
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
