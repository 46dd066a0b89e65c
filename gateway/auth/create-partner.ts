/** Adds a partner, and credentials to a partner; the secret is shown to whoever asked, and kept as a digest only. */
import type { Context } from '../context.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import { atomically, type Queryable } from '../platform/database/in-transaction.ts'
import { hashToken, newId, newToken } from '../platform/ids.ts'
import { parseCallbackOrigin } from './callback-origin.ts'
import type { Partner } from './partner.ts'
import { findPartner, insertClient, insertPartner } from './partner-store.ts'

type Surroundings = Pick<Context, 'clock'> & { readonly database: Queryable }

/** Who is added, and which credentials it gets; absent ones are made up at random. */
export type PartnerWanted = {
  readonly name: string
  readonly callbackOrigins?: readonly string[]
  readonly clientId?: string
  readonly clientSecret?: string
}

/** Credentials as they are shown, once. */
export type Credentials = { readonly clientId: string; readonly clientSecret: string }

/** Adds a partner with a first set of credentials, or neither. Throws when the name or the client id is taken. */
export async function createPartner(
  context: Surroundings,
  actor: string,
  wanted: PartnerWanted,
): Promise<{ partner: Partner; credentials: Credentials }> {
  const { name, callbackOrigins = [] } = wanted
  const { clock } = context
  return await atomically(context.database, async (database) => {
    const added = await insertPartner(database, {
      id: newId(),
      name,
      callbackOrigins: callbackOrigins.map(parseCallbackOrigin),
      createdAt: clock.real(),
    })
    const partner = await findPartner(database, name)
    if (!added || partner === undefined) {
      throw new Error(`There is a partner called ${name} already`)
    }
    const subject = ['partner', partner.id] as const
    await writeAudit({ database, clock }, { partnerId: partner.id, actor, action: 'partner created', subject })
    return { partner, credentials: await createClient({ database, clock }, actor, partner, wanted) }
  })
}

/** Adds credentials to a partner, so that old and new ones overlap while it changes over. */
export async function createClient(
  context: Surroundings,
  actor: string,
  partner: Partner,
  wanted: { readonly clientId?: string; readonly clientSecret?: string } = {},
): Promise<Credentials> {
  const { clientId = newId(), clientSecret = newToken() } = wanted
  const { clock } = context
  const client = { clientId, partnerId: partner.id, secretHash: hashToken(clientSecret), createdAt: clock.real() }
  await atomically(context.database, async (database) => {
    if (!(await insertClient(database, client))) {
      throw new Error(`The client id ${clientId} is taken`)
    }
    const subject = ['client', clientId] as const
    await writeAudit({ database, clock }, { partnerId: partner.id, actor, action: 'client created', subject })
  })
  return { clientId, clientSecret }
}
