/** Lists partners and their credentials for operators. */
import type { Context } from '../context.ts'
import type { Client, Partner } from './partner.ts'
import { findPartner, listPartners } from './partner-store.ts'

type PartnerContext = Pick<Context, 'database'>

/** All partners by name; secrets are not stored and cannot be shown. */
export async function listPartnersWithClients({
  database,
}: PartnerContext): Promise<readonly { partner: Partner; clients: readonly Client[] }[]> {
  return await listPartners(database)
}

/** The partner with this id. */
export async function findPartnerById({ database }: PartnerContext, id: string): Promise<Partner | undefined> {
  return await findPartner(database, id)
}

/** The partner with this name or id. Throws when there is none. */
export async function requirePartner({ database }: PartnerContext, nameOrId: string): Promise<Partner> {
  const partner = await findPartner(database, nameOrId)
  if (partner === undefined) {
    throw new Error(`Unknown partner ${nameOrId}`)
  }
  return partner
}
