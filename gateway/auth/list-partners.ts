/** Finds partners and their credentials, and says which partners are disabled. */

import type { Context } from '../context.ts'
import { clientListQuery, findClient, hasFirstToken } from '../partners/client-store.ts'
import type { Client, Partner } from '../partners/partner.ts'
import { findPartner, listDisabledPartners, listPartners } from '../partners/partner-store.ts'
import { sharedResult } from '../platform/concurrency.ts'
import type { ProgramContext } from '../platform/program-context.ts'

/** All partners by name; secrets are not stored and cannot be shown. */
export async function listPartnersWithClients({
  database,
}: ProgramContext): Promise<readonly { partner: Partner; clients: readonly Client[] }[]> {
  return await listPartners(database)
}

export async function findPartnerById({ database }: Context, id: string): Promise<Partner | undefined> {
  return await findPartner(database, id)
}

/** The partner with this name or id. Throws when there is none. */
export async function requirePartner({ database }: ProgramContext, nameOrId: string): Promise<Partner> {
  const partner = await findPartner(database, nameOrId)
  if (partner === undefined) {
    throw new Error(`Unknown partner ${nameOrId}; havn partner list prints the names and ids`)
  }
  return partner
}

/** Whether the partner was disabled: its links start nothing any more. */
export async function isPartnerDisabled(context: ProgramContext, id: string): Promise<boolean> {
  return (await requirePartner(context, id)).disabledAt !== null
}

/** As for requests, five seconds are the limit. */
const CACHE_TTL_MILLISECONDS = 4_000

/** Creates the cache of a process, for less than five seconds: the function that says whether a partner is disabled. */
export function openDisabledPartnerCache({ database }: Context): (partnerId: string) => Promise<boolean> {
  const read = sharedResult(() => listDisabledPartners(database), CACHE_TTL_MILLISECONDS)
  return async (partnerId) => (await read()).has(partnerId)
}

export type NamedClient = Client & { readonly partnerName: string }

/** Clients by their ids, after one of them; of one partner, or of all of them. */
export async function listClients(
  { database }: Context,
  partnerId: string | null,
  { afterId, limit }: { readonly afterId?: string | undefined; readonly limit: number },
): Promise<readonly NamedClient[]> {
  return (await clientListQuery(partnerId, afterId, limit).execute(database.query)).rows
}

/** The client with this id, if it is of the partner or `partnerId` is null. */
export async function findNamedClient(
  { database }: Context,
  partnerId: string | null,
  clientId: string,
): Promise<NamedClient | undefined> {
  return clientId.includes('\0') ? undefined : await findClient(database, partnerId, clientId)
}

/** Whether a token was ever issued to a client of the partner. */
export async function hasUsedClient({ database }: Context, partnerId: string): Promise<boolean> {
  return await hasFirstToken(database, partnerId)
}
