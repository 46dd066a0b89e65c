/** Replaces the origins and schemes that users of a partner may be returned to. */
import type { Context } from '../context.ts'
import { writeAuditEntry } from '../operators/write-audit-entry.ts'
import { inTransaction, type Queryable } from '../platform/database/in-transaction.ts'
import { parseCallbackOrigin } from './callback-origin.ts'
import type { Partner } from './partner.ts'
import { updateCallbackOrigins } from './partner-store.ts'

/** Returns the normalised origins. Throws for an invalid one. */
export async function replaceCallbackOrigins(
  { database, clock }: Pick<Context, 'clock'> & { readonly database: Queryable },
  actor: string,
  { id }: Pick<Partner, 'id'>,
  origins: readonly string[],
): Promise<readonly string[]> {
  const registered = [...new Set(origins.map(parseCallbackOrigin))]
  await inTransaction(database, async (within) => {
    await updateCallbackOrigins(within, id, registered)
    const action = `callback origins replaced: ${registered.join(', ')}`
    await writeAuditEntry({ database: within, clock }, { partnerId: id, actor, action, subject: ['partner', id] })
  })
  return registered
}
