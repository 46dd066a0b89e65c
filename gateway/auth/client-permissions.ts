/** Checks and changes the permissions of client credentials, such as the one for payrolls. */
import type { Operation } from '../../contract/operation.ts'
import { writeAuditEntry } from '../operators/audit-log.ts'
import { findCredentials, setClientPermission } from '../partners/client-store.ts'
import type { Partner } from '../partners/partner.ts'
import { findPartner, setPartnerPermission } from '../partners/partner-store.ts'
import { inTransaction, type Queryable } from '../platform/database/in-transaction.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import type { PartnerIdentity } from '../platform/http/operations/served-operation.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import type { CredentialCache } from './authenticate.ts'

/** Bulk payrolls; registering companies for account information without onboarding. */
export const PARTNER_PERMISSIONS = ['payrollBulk', 'aisRegistration'] as const
export type PartnerPermission = (typeof PARTNER_PERMISSIONS)[number]

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
      const entry = { partnerId: partner.id, actor, action: `${permission} ${to ? 'allowed' : 'forbidden'}` as const }
      await writeAuditEntry(context, { ...entry, subject: ['partner', partner.id] })
    }
    return changed
  })
}

export type ClientPermission = NonNullable<Operation['permission']>

/** Whether credentials have a permission; changes take effect within five seconds. */
export function permissionCheck(
  credentialCache: CredentialCache,
  permission: ClientPermission,
): (caller: PartnerIdentity) => Promise<boolean> {
  return async ({ clientId }) => {
    const { clientsById } = await credentialCache.current()
    return clientsById.get(clientId)?.permissions.includes(permission) === true
  }
}

/** Rejects credentials without a permission; changes take effect within five seconds. */
export function permissionRequirer(
  credentialCache: CredentialCache,
): (caller: PartnerIdentity, permission: ClientPermission) => Promise<void> {
  return async (caller, permission) => {
    if (!(await permissionCheck(credentialCache, permission)(caller))) {
      throw apiError(
        'forbidden',
        `These credentials lack the permission ${permission}; ask the operator of this gateway`,
      )
    }
  }
}

/** Grants or revokes a permission; false when nothing changed. Throws for an unknown client. */
export async function changeClientPermission(
  context: ProgramContext,
  actor: string,
  clientId: string,
  [permission, to]: readonly [permission: ClientPermission, to: boolean],
): Promise<boolean> {
  return await inTransaction(context, async (context) => {
    const credentials = await findCredentials(context.database, clientId)
    if (credentials === undefined) {
      throw apiError('not-found', `Unknown client ${clientId}`)
    }
    const { partnerId } = credentials
    const changed = await setClientPermission(context.database, clientId, permission, to)
    if (changed) {
      const action = `${permission} ${to ? 'allowed' : 'forbidden'}` as const
      await writeAuditEntry(context, { partnerId, actor, action, subject: ['client', clientId] })
    }
    return changed
  })
}
