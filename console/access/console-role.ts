/** Defines what each role of the console's users permits. */
import type { ConsoleRole } from '../../gateway/config/console-roles.ts'

/**
 * What a page or an action requires; every signed-in user has `session`. Whose data it shows is another matter:
 * that is decided by `partnerFilterOf`.
 */
export const CONSOLE_PERMISSIONS = [
  'session',
  'payments.read',
  'payments.act',
  'payroll.read',
  'payroll.act',
  'developer.read',
  'developer.act',
  'operations.read',
  'operations.act',
  'administrate',
  'sandbox',
] as const
export type ConsolePermission = (typeof CONSOLE_PERMISSIONS)[number]

const OPERATOR_READER = ['session', 'payments.read', 'payroll.read', 'developer.read', 'operations.read'] as const
const OPERATOR = [
  ...OPERATOR_READER,
  'payments.act',
  'payroll.act',
  'developer.act',
  'operations.act',
  'sandbox',
] as const

const permissionsByRole: Readonly<Record<ConsoleRole, readonly ConsolePermission[]>> = {
  'operator-reader': OPERATOR_READER,
  operator: OPERATOR,
  'operator-administrator': [...OPERATOR, 'administrate'],
  'partner-developer': ['session', 'payments.read', 'developer.read', 'developer.act', 'sandbox'],
  'partner-finance': ['session', 'payments.read', 'payments.act'],
  // Only users with the payroll role see salaries, and no other user of the partner.
  'partner-payroll': ['session', 'payroll.read', 'payroll.act'],
}

/** Whether one of the roles permits it. */
export function isPermitted(roles: readonly ConsoleRole[], permission: ConsolePermission): boolean {
  return roles.some((role) => permissionsByRole[role].includes(permission))
}
