/** What a set of credentials may be allowed besides what all may: salaries are not every program's business. */
import type { Operation } from '../../contract/operation.ts'
import type { Context } from '../context.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import { atomically, type Queryable } from '../platform/database/in-transaction.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import type { PartnerIdentity } from '../platform/http/operations/served-operation.ts'
import type { Admission } from './credential-cache.ts'
import { findCredentials, setClientPermission } from './partner-store.ts'

export type ClientPermission = NonNullable<Operation['permission']>

/** Refuses credentials that may not do what an operation wants; a change of that shows within five seconds. */
export function permissionRequirer(
  admission: Admission,
): (caller: PartnerIdentity, permission: ClientPermission) => Promise<void> {
  return async ({ clientId }, permission) => {
    const { permissionsByClientId } = await admission.current()
    if (permissionsByClientId.get(clientId)?.includes(permission) !== true) {
      throw refuse('forbidden', `These credentials have no permission for ${permission}; ask whoever runs this gateway`)
    }
  }
}

/** Gives a permission or takes it; false when it was so before. Throws when there are no such credentials. */
export async function changeClientPermission(
  { database, clock }: Pick<Context, 'clock'> & { readonly database: Queryable },
  actor: string,
  clientId: string,
  [permission, to]: readonly [permission: ClientPermission, to: boolean],
): Promise<boolean> {
  return await atomically(database, async (within) => {
    const credentials = await findCredentials(within, clientId)
    if (credentials === undefined) {
      throw new Error(`There is no client ${clientId}`)
    }
    const { partnerId } = credentials
    const changed = await setClientPermission(within, clientId, permission, to)
    if (changed) {
      const action = `${permission} ${to ? 'allowed' : 'forbidden'}`
      await writeAudit({ database: within, clock }, { partnerId, actor, action, subject: ['client', clientId] })
    }
    return changed
  })
}
