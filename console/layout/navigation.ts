/** Lists the pages of the console's navigation. */
import type { ConsolePermission } from '../access/console-role.ts'
import type { ConsoleTextKey } from '../texts/console-texts.ts'

export const NAVIGATION: readonly {
  readonly path: string
  readonly label: ConsoleTextKey
  readonly permission: ConsolePermission
  readonly isSandboxOnly?: true
}[] = [
  { path: '/console', label: 'navigation.home', permission: 'session' },
  { path: '/console/tasks', label: 'navigation.tasks', permission: 'operations.read' },
  { path: '/console/payments', label: 'navigation.payments', permission: 'payments.read' },
  { path: '/console/consents', label: 'navigation.consents', permission: 'payments.read' },
  { path: '/console/approvals', label: 'navigation.approvals', permission: 'payments.read' },
  { path: '/console/cancellations', label: 'navigation.cancellations', permission: 'payments.read' },
  { path: '/console/payrolls', label: 'navigation.payrolls', permission: 'payroll.read' },
  { path: '/console/onboardings', label: 'navigation.onboardings', permission: 'operations.read' },
  { path: '/console/exchanges', label: 'navigation.exchanges', permission: 'payments.read' },
  { path: '/console/webhooks', label: 'navigation.webhooks', permission: 'developer.read' },
  { path: '/console/sandbox', label: 'navigation.sandbox', permission: 'sandbox', isSandboxOnly: true },
  { path: '/console/partners', label: 'navigation.partners', permission: 'operations.read' },
  { path: '/console/banks', label: 'navigation.banks', permission: 'operations.read' },
  { path: '/console/ledger', label: 'navigation.ledger', permission: 'operations.read' },
  { path: '/console/audit', label: 'navigation.audit', permission: 'operations.read' },
  { path: '/console/users', label: 'navigation.users', permission: 'administrate' },
  { path: '/console/sessions', label: 'navigation.sessions', permission: 'session' },
]
