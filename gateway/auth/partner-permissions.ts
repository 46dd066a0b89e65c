/** Checks and changes the permissions of partners, which operators grant by agreement. */

import { writeAuditEntry } from '../operators/write-audit-entry.ts'
import { inTransaction, type Queryable } from '../platform/database/in-transaction.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import type { Partner } from './partner.ts'
import { findPartner, setPartnerPermission } from './partner-store.ts'

/** Bulk payrolls; registering companies for account information without onboarding. */
export const PARTNER_PERMISSIONS = ['payrollBulk', 'aisRegistration'] as const
export type PartnerPermission = (typeof PARTNER_PERMISSIONS)[number]

/** Whether the partner has the permission. */
export async function hasPartnerPermission(
  { database }: { readonly database: Queryable },
  partnerId: string,
  permission: PartnerPermission,
): Promise<boolean> {
  return (await findPartner(database, partnerId))?.[permission] === true
}

/** Grants or revokes a permission; false when nothing changed. */
export async function changePartnerPermission(
  context: ProgramContext,
  actor: string,
  partner: Partner,
  [permission, to]: readonly [permission: PartnerPermission, to: boolean],
): Promise<boolean> {
  return await inTransaction(context, async (context) => {
    const changed = await setPartnerPermission(context.database, partner.id, permission, to)
    if (changed) {
      const entry = { partnerId: partner.id, actor, action: `${permission} ${to ? 'allowed' : 'forbidden'}` }
      await writeAuditEntry(context, { ...entry, subject: ['partner', partner.id] })
    }
    return changed
  })
}
