/** Creates partners and credentials; the secret is returned once, and only its digest is stored. */

import { writeAuditEntry } from '../operators/audit-log.ts'
import { insertClient } from '../partners/client-store.ts'
import type { Partner } from '../partners/partner.ts'
import { findPartner, insertPartner } from '../partners/partner-store.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { hashToken, newId, newToken } from '../platform/ids.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { parseCallbackOrigin } from './callback-origin.ts'

/** A new partner and its first credentials; absent values are generated at random. */
export type NewPartner = {
  readonly name: string
  readonly callbackOrigins?: readonly string[]
  readonly clientId?: string
  readonly clientSecret?: string
}

/** Credentials with the secret, which is returned only once. */
export type Credentials = { readonly clientId: string; readonly clientSecret: string }

/** Creates a partner with its first credentials, atomically. Throws when the name or the client id is in use. */
export async function createPartner(
  context: ProgramContext,
  actor: string,
  request: NewPartner,
): Promise<{ partner: Partner; credentials: Credentials }> {
  const { callbackOrigins = [] } = request
  const name = request.name.trim()
  const { clock } = context
  if (name === '') {
    throw apiError('bad-request', 'A partner needs a name')
  }
  return await inTransaction(context, async (context) => {
    const added = await insertPartner(context.database, {
      id: newId(),
      name,
      callbackOrigins: callbackOrigins.map(parseCallbackOrigin),
      createdAt: clock.real(),
    })
    const partner = await findPartner(context.database, name)
    if (!added || partner === undefined) {
      throw apiError('conflict', `A partner named ${name} already exists`)
    }
    const subject = ['partner', partner.id] as const
    await writeAuditEntry(context, { partnerId: partner.id, actor, action: 'partner created', subject })
    return { partner, credentials: await createClient(context, actor, partner, request) }
  })
}

/** Adds credentials to a partner. */
export async function createClient(
  context: ProgramContext,
  actor: string,
  partner: Pick<Partner, 'id'>,
  request: { readonly clientId?: string; readonly clientSecret?: string } = {},
): Promise<Credentials> {
  const { clientId = newId(), clientSecret = newToken() } = request
  const { clock } = context
  const client = { clientId, partnerId: partner.id, secretHash: hashToken(clientSecret), createdAt: clock.real() }
  await inTransaction(context, async (context) => {
    if (!(await insertClient(context.database, client))) {
      throw apiError('conflict', `The client id ${clientId} is already in use`)
    }
    const subject = ['client', clientId] as const
    await writeAuditEntry(context, { partnerId: partner.id, actor, action: 'client created', subject })
  })
  return { clientId, clientSecret }
}
