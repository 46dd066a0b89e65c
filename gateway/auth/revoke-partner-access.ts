/** Disables a partner, or one set of its credentials, permanently; tokens are rejected within five seconds. */

import { writeAuditEntry } from '../operators/audit-log.ts'
import { disableClient, findCredentials } from '../partners/client-store.ts'
import type { Partner } from '../partners/partner.ts'
import { disablePartner } from '../partners/partner-store.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import type { ProgramContext } from '../platform/program-context.ts'

/** Disables a partner with all its credentials. Throws when it is disabled already. */
export async function revokePartnerAccess(context: ProgramContext, actor: string, partner: Partner): Promise<void> {
  await inTransaction(context, async (context) => {
    if (!(await disablePartner(context.database, partner.id, context.clock.real()))) {
      throw apiError('conflict', `The partner ${partner.name} is already disabled`)
    }
    const subject = ['partner', partner.id] as const
    await writeAuditEntry(context, { partnerId: partner.id, actor, action: 'partner disabled', subject })
  })
}

/** Disables one set of credentials. Throws when no enabled client has this id. */
export async function revokeClientAccess(context: ProgramContext, actor: string, clientId: string): Promise<void> {
  await inTransaction(context, async (context) => {
    const credentials = await findCredentials(context.database, clientId)
    const isDisabled = await disableClient(context.database, clientId, context.clock.real())
    if (credentials === undefined || !isDisabled) {
      throw apiError('conflict', `No enabled client has the id ${clientId}`)
    }
    const subject = ['client', clientId] as const
    await writeAuditEntry(context, { partnerId: credentials.partnerId, actor, action: 'client disabled', subject })
  })
}
