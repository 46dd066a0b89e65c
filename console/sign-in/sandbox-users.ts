/** Lists the users of the sandbox's console, one for each role, to choose from. */

import { type ConsoleRole, isOfPartner } from '../../gateway/config/console-roles.ts'
import type { Context } from '../../gateway/context.ts'
import { findDemoPartner } from '../../gateway/simulation/demo-fixture.ts'
import type { ConsoleUser } from '../access/console-session.ts'

const NAMES: Readonly<Record<ConsoleRole, string>> = {
  'operator-administrator': 'Astrid Lie',
  operator: 'Bjørn Moe',
  'operator-reader': 'Cecilie Ruud',
  'partner-developer': 'Daniel Vik',
  'partner-finance': 'Eva Sund',
  'partner-payroll': 'Fredrik Hagen',
}
/** In the order of the sign-in page. */
const ROLES = Object.keys(NAMES) as readonly ConsoleRole[]

/** A user who can be chosen. */
export type SandboxUser = ConsoleUser & { readonly role: ConsoleRole; readonly partnerName: string | null }

/** The operators, and the users of the demo partner where there is one. */
export async function listSandboxUsers(context: Context): Promise<readonly SandboxUser[]> {
  const partner = await findDemoPartner(context)
  const roles = ROLES.filter((role) => !isOfPartner(role) || partner !== undefined)
  return roles.map((role) => ({
    role,
    subject: `sandbox ${role}`,
    name: NAMES[role],
    roles: [role],
    partnerId: isOfPartner(role) ? (partner?.id ?? null) : null,
    partnerName: isOfPartner(role) ? (partner?.name ?? null) : null,
  }))
}
