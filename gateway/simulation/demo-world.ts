/** Makes the demo partner, its company and the sandbox's banks, so that a developer can begin at once. */
import { createPartner } from '../auth/create-partner.ts'
import { showPartners } from '../auth/list-partners.ts'
import type { BankProfile } from '../banks/bank.ts'
import { type NewBank, putBank } from '../banks/bank-entry.ts'
import type { Context } from '../context.ts'
import { atomically } from '../foundation/database/atomically.ts'
import { addCompany } from '../onboarding/add-company.ts'

/** Where the sandbox bank of this machine is. */
export type SandboxAddresses = { readonly xs2aUrl: string; readonly pagesUrl: string }

const DEMO_PARTNER = { name: 'Demo partner', clientId: 'demo-partner', clientSecret: 'demo-partner-secret' }
const DEMO_COMPANY = { countryCode: 'NO', organisationNumber: '987654325', name: 'Nordlys Handel AS' }
const ACTOR = 'sandbox'

/** Puts the sandbox's banks into the directory, at their present addresses. */
export async function putSandboxBanks(
  { database }: Pick<Context, 'database'>,
  profiles: ReadonlyMap<string, BankProfile>,
  { xs2aUrl, pagesUrl }: SandboxAddresses,
): Promise<void> {
  const linkHosts = [new URL(xs2aUrl).host, new URL(pagesUrl).host]
  const fjordbanken: NewBank = {
    bic: 'FJORNO22',
    name: 'Fjordbanken',
    countryCode: 'NO',
    connector: 'berlin-group',
    profile: 'norwegian-redirect',
    address: `${xs2aUrl}/fjordbanken`,
    linkHosts,
  }
  await putBank(database, profiles, fjordbanken)
}

/** Makes the demo partner with its credentials and company, once: whoever finds the partner finds all of it. */
export async function makeDemoPartner(context: Pick<Context, 'database' | 'clock'>): Promise<void> {
  const partners = await showPartners(context)
  if (partners.some(({ partner }) => partner.name === DEMO_PARTNER.name)) {
    return
  }
  const { clock } = context
  await atomically(context.database, async (database) => {
    const { partner } = await createPartner({ database, clock }, ACTOR, DEMO_PARTNER)
    await addCompany({ database, clock }, ACTOR, { partnerId: partner.id, ...DEMO_COMPANY })
  })
}
