/** Adds a partner, and credentials to a partner; the secret is shown to whoever asked, and kept as a digest only. */
import type { Context } from '../context.ts'
import { hashToken, newId, newToken } from '../foundation/ids.ts'
import { writeAudit } from '../operators/audit-log.ts'
import type { Partner } from './partner.ts'
import { findPartner, insertClient, insertPartner } from './partner-store.ts'

type Surroundings = Pick<Context, 'database' | 'clock'>

/** Who is added, and which credentials it gets; absent ones are made up at random. */
export type PartnerWanted = {
  readonly name: string
  readonly callbackOrigins?: readonly string[]
  readonly clientId?: string
  readonly clientSecret?: string
}

/** Credentials as they are shown, once. */
export type Credentials = { readonly clientId: string; readonly clientSecret: string }

/** Adds a partner with a first set of credentials. Throws when the name or the client id is taken. */
export async function createPartner(
  context: Surroundings,
  actor: string,
  wanted: PartnerWanted,
): Promise<{ partner: Partner; credentials: Credentials }> {
  const { name, callbackOrigins = [] } = wanted
  const added = await insertPartner(context.database, {
    id: newId(),
    name,
    callbackOrigins,
    createdAt: context.clock.real(),
  })
  const partner = await findPartner(context.database, name)
  if (!added || partner === undefined) {
    throw new Error(`There is a partner called ${name} already`)
  }
  await writeAudit(context, {
    partnerId: partner.id,
    actor,
    action: 'partner created',
    subject: ['partner', partner.id],
  })
  return { partner, credentials: await createClient(context, actor, partner, wanted) }
}

/** Adds credentials to a partner, so that old and new ones overlap while it changes over. */
export async function createClient(
  context: Surroundings,
  actor: string,
  partner: Partner,
  wanted: { readonly clientId?: string; readonly clientSecret?: string } = {},
): Promise<Credentials> {
  const { clientId = newId(), clientSecret = newToken() } = wanted
  const added = await insertClient(context.database, {
    clientId,
    partnerId: partner.id,
    secretHash: hashToken(clientSecret),
    createdAt: context.clock.real(),
  })
  if (!added) {
    throw new Error(`The client id ${clientId} is taken`)
  }
  await writeAudit(context, { partnerId: partner.id, actor, action: 'client created', subject: ['client', clientId] })
  return { clientId, clientSecret }
}
