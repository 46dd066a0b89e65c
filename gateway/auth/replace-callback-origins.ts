/** Replaces the origins and schemes that users of a partner may be returned to. */

import { writeAuditEntry } from '../operators/write-audit-entry.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { parseCallbackOrigin } from './callback-origin.ts'
import type { Partner } from './partner.ts'
import { updateCallbackOrigins } from './partner-store.ts'

/** Returns the normalised origins. Throws for an invalid one. */
export async function replaceCallbackOrigins(
  context: ProgramContext,
  actor: string,
  { id }: Pick<Partner, 'id'>,
  origins: readonly string[],
): Promise<readonly string[]> {
  const registered = [...new Set(origins.map(parseCallbackOrigin))]
  await inTransaction(context, async (context) => {
    await updateCallbackOrigins(context.database, id, registered)
    const action = `callback origins replaced: ${registered.join(', ')}`
    await writeAuditEntry(context, { partnerId: id, actor, action, subject: ['partner', id] })
  })
  return registered
}
