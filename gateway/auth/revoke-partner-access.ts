/** Shuts a partner, or one set of its credentials, out for good; its tokens are refused within five seconds. */
import type { Context } from '../context.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import type { Partner } from './partner.ts'
import { disableClient, disablePartner, findCredentials } from './partner-store.ts'

type Surroundings = Pick<Context, 'database' | 'clock'>

/** Disables a partner with all its credentials. Throws when it is disabled already. */
export async function shutOutPartner(context: Surroundings, actor: string, partner: Partner): Promise<void> {
  if (!(await disablePartner(context.database, partner.id, context.clock.real()))) {
    throw new Error(`The partner ${partner.name} is disabled already`)
  }
  const subject = ['partner', partner.id] as const
  await writeAudit(context, { partnerId: partner.id, actor, action: 'partner disabled', subject })
}

/** Disables one set of credentials. Throws when there is none with this id in use. */
export async function shutOutClient(context: Surroundings, actor: string, clientId: string): Promise<void> {
  const credentials = await findCredentials(context.database, clientId)
  const isDone = await disableClient(context.database, clientId, context.clock.real())
  if (credentials === undefined || !isDone) {
    throw new Error(`There is no client ${clientId} in use`)
  }
  const subject = ['client', clientId] as const
  await writeAudit(context, { partnerId: credentials.partnerId, actor, action: 'client disabled', subject })
}
