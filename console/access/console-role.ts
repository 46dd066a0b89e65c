/** Defines the roles of the console's users, and what each role permits. */

/** Roles of operators, each of which includes the former, and roles of partners' users, which a user may combine. */
export type ConsoleRole =
  | 'operator-reader'
  | 'operator'
  | 'operator-administrator'
  | 'partner-developer'
  | 'partner-finance'
  | 'partner-payroll'

/** What a page or an action requires; every signed-in user has `session`. */
export type ConsolePermission = 'session'

const permissionsByRole: Readonly<Record<ConsoleRole, readonly ConsolePermission[]>> = {
  'operator-reader': ['session'],
  operator: ['session'],
  'operator-administrator': ['session'],
  'partner-developer': ['session'],
  'partner-finance': ['session'],
  'partner-payroll': ['session'],
}

/** Whether a role is one of partners' users. */
export function isOfPartner(role: ConsoleRole): boolean {
  return role.startsWith('partner-')
}

/** Whether one of the roles permits it. */
export function isPermitted(roles: readonly ConsoleRole[], permission: ConsolePermission): boolean {
  return roles.some((role) => permissionsByRole[role].includes(permission))
}
