/** Lists the pages of the console's navigation. */
import type { ConsolePermission } from '../access/console-role.ts'
import type { ConsoleTextKey } from '../texts/console-texts.ts'

/** In this order; the first and the last one have no heading. */
export const NAVIGATION_GROUPS = ['start', 'orders', 'developers', 'operations', 'account'] as const

export const NAVIGATION: readonly {
  readonly group: (typeof NAVIGATION_GROUPS)[number]
  readonly path: string
  readonly label: ConsoleTextKey
  readonly permission: ConsolePermission
  readonly isSandboxOnly?: true
}[] = [
  { group: 'start', path: '/console', label: 'navigation.home', permission: 'session' },
  { group: 'start', path: '/console/figures', label: 'navigation.figures', permission: 'payments.read' },
  { group: 'start', path: '/console/tasks', label: 'navigation.tasks', permission: 'operations.read' },
  { group: 'orders', path: '/console/payments', label: 'navigation.payments', permission: 'payments.read' },
  { group: 'orders', path: '/console/payrolls', label: 'navigation.payrolls', permission: 'payroll.read' },
  { group: 'orders', path: '/console/approvals', label: 'navigation.approvals', permission: 'payments.read' },
  { group: 'orders', path: '/console/cancellations', label: 'navigation.cancellations', permission: 'payments.read' },
  { group: 'orders', path: '/console/exchanges', label: 'navigation.exchanges', permission: 'payments.read' },
  { group: 'orders', path: '/console/consents', label: 'navigation.consents', permission: 'payments.read' },
  { group: 'orders', path: '/console/onboardings', label: 'navigation.onboardings', permission: 'payments.read' },
  { group: 'developers', path: '/console/credentials', label: 'navigation.credentials', permission: 'developer.read' },
  { group: 'developers', path: '/console/requests', label: 'navigation.requests', permission: 'developer.read' },
  { group: 'developers', path: '/console/webhooks', label: 'navigation.webhooks', permission: 'developer.read' },
  {
    group: 'developers',
    path: '/console/inbox',
    label: 'navigation.inbox',
    permission: 'developer.read',
    isSandboxOnly: true,
  },
  {
    group: 'developers',
    path: '/console/sandbox',
    label: 'navigation.sandbox',
    permission: 'sandbox',
    isSandboxOnly: true,
  },
  { group: 'operations', path: '/console/partners', label: 'navigation.partners', permission: 'operations.read' },
  { group: 'operations', path: '/console/banks', label: 'navigation.banks', permission: 'operations.read' },
  { group: 'operations', path: '/console/deals', label: 'navigation.deals', permission: 'operations.read' },
  { group: 'operations', path: '/console/ledger', label: 'navigation.ledger', permission: 'operations.read' },
  {
    group: 'operations',
    path: '/console/reconciliation',
    label: 'navigation.reconciliation',
    permission: 'operations.act',
  },
  { group: 'operations', path: '/console/workers', label: 'navigation.workers', permission: 'operations.read' },
  { group: 'operations', path: '/console/audit', label: 'navigation.audit', permission: 'operations.read' },
  { group: 'operations', path: '/console/users', label: 'navigation.users', permission: 'administrate' },
  { group: 'account', path: '/console/sessions', label: 'navigation.sessions', permission: 'session' },
]
