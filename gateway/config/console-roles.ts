/** Lists the roles of users of the console. */

/** Roles of operators, each of which includes the former, and roles of partners' users, which a user may combine. */
export const CONSOLE_ROLES = [
  'operator-reader',
  'operator',
  'operator-administrator',
  'partner-developer',
  'partner-finance',
  'partner-payroll',
] as const
export type ConsoleRole = (typeof CONSOLE_ROLES)[number]

/** Whether a role is one of partners' users. */
export function isOfPartner(role: ConsoleRole): boolean {
  return role.startsWith('partner-')
}
