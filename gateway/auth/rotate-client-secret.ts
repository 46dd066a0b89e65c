/** Rotates the secret of a client: old and new one overlap, and the old one ends by itself or is revoked. */

import { writeAuditEntry } from '../operators/audit-log.ts'
import { endFormerSecret, findCredentials, replaceSecret } from '../partners/client-store.ts'
import { OVERLAP_DAYS_MAX } from '../partners/partner.ts'
import { inTransaction, type Queryable } from '../platform/database/in-transaction.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { hashToken, newToken } from '../platform/ids.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import type { Credentials } from './create-partner.ts'

/**
 * Returns the new secret, which is not shown again. The former one stays valid for the days of the overlap, or ends at
 * once with none. Throws `conflict` for an unknown or disabled client, and while a former secret is still valid.
 */
export async function rotateClientSecret(
  context: ProgramContext,
  actor: string,
  clientId: string,
  overlapDays: number,
): Promise<Credentials & { readonly formerEndsAt: Temporal.Instant }> {
  if (!Number.isInteger(overlapDays) || overlapDays < 0 || overlapDays > OVERLAP_DAYS_MAX) {
    throw apiError('bad-request', `The overlap must be between 0 and ${OVERLAP_DAYS_MAX} days`)
  }
  const clientSecret = newToken()
  const at = context.clock.real()
  const formerEndsAt = at.add({ hours: 24 * overlapDays })
  return await inTransaction(context, async (context) => {
    const { partnerId } = await requireEnabledClient(context.database, clientId)
    if (
      !(await replaceSecret(context.database, clientId, {
        secretHash: hashToken(clientSecret),
        at,
        endsAt: formerEndsAt,
      }))
    ) {
      throw apiError('conflict', 'The former secret of this client is still valid: revoke it before another rotation')
    }
    if (overlapDays === 0) {
      await endFormerSecret(context.database, clientId)
    }
    const action = 'client secret rotated'
    const entry = { partnerId, actor, action, subject: ['client', clientId], detail: { overlapDays } } as const
    await writeAuditEntry(context, entry)
    return { clientId, clientSecret, formerEndsAt }
  })
}

/** Tokens that were issued for the former secret are rejected within five seconds. Throws `conflict` without one. */
export async function revokeFormerSecret(context: ProgramContext, actor: string, clientId: string): Promise<void> {
  await inTransaction(context, async (context) => {
    const { partnerId } = await requireEnabledClient(context.database, clientId)
    if (!(await endFormerSecret(context.database, clientId))) {
      throw apiError('conflict', 'This client has no former secret')
    }
    const entry = { partnerId, actor, action: 'former client secret revoked', subject: ['client', clientId] } as const
    await writeAuditEntry(context, entry)
  })
}

async function requireEnabledClient(database: Queryable, clientId: string): Promise<{ readonly partnerId: string }> {
  const client = await findCredentials(database, clientId)
  if (client?.enabled !== true) {
    throw apiError('conflict', `No enabled client has the id ${clientId}`)
  }
  return client
}
