/** Shows partners and their credentials to an operator. */
import type { Context } from '../context.ts'
import type { Client, Partner } from './partner.ts'
import { findPartner, listPartners } from './partner-store.ts'

type Surroundings = Pick<Context, 'database'>

/** All partners by name; secrets are not kept and cannot be shown. */
export async function showPartners({
  database,
}: Surroundings): Promise<readonly { partner: Partner; clients: readonly Client[] }[]> {
  return await listPartners(database)
}

/** The partner with this name or id. Throws when there is none. */
export async function requirePartner({ database }: Surroundings, nameOrId: string): Promise<Partner> {
  const partner = await findPartner(database, nameOrId)
  if (partner === undefined) {
    throw new Error(`There is no partner called ${nameOrId}`)
  }
  return partner
}
