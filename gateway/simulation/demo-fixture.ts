/** Makes the demo partner, its companies and the sandbox's banks, so that a developer can begin at once. */
import sandbox from '../../data/sandbox-directory.json' with { type: 'json' }
import { changeClientPermission } from '../auth/client-permissions.ts'
import { createPartner } from '../auth/create-partner.ts'
import { showPartners } from '../auth/list-partners.ts'
import type { Partner } from '../auth/partner.ts'
import { changePartnerFlag, PARTNER_FLAGS } from '../auth/partner-flags.ts'
import type { BankProfile } from '../banks/directory/bank.ts'
import { putBank } from '../banks/directory/directory-entry.ts'
import { addCompany } from '../companies/add-company.ts'
import { listCompanies } from '../companies/list-companies.ts'
import type { Context } from '../context.ts'
import { atomically, type Queryable } from '../platform/database/in-transaction.ts'

/** Where the sandbox bank of this machine is. */
export type SandboxAddresses = { readonly xs2aUrl: string; readonly pagesUrl: string }

type Surroundings = Pick<Context, 'clock'> & { readonly database: Queryable }

const DEMO_PARTNER = { name: 'Demo partner', clientId: 'demo-partner', clientSecret: 'demo-partner-secret' }
const ACTOR = 'sandbox'

/** Puts the sandbox's banks into the directory, at their present addresses. */
export async function putSandboxBanks(
  { database }: Pick<Context, 'database'>,
  profiles: ReadonlyMap<string, BankProfile>,
  { xs2aUrl, pagesUrl }: SandboxAddresses,
): Promise<void> {
  const linkHosts = [new URL(xs2aUrl).host, new URL(pagesUrl).host]
  await atomically(database, async (within) => {
    for (const { path, ...bank } of sandbox.banks) {
      await putBank(within, profiles, { ...bank, connector: 'berlin-group', address: `${xs2aUrl}/${path}`, linkHosts })
    }
  })
}

/** Makes the demo partner with its credentials and companies, or adds the companies that an earlier release did not have. */
export async function makeDemoPartner({ clock, database }: Pick<Context, 'database' | 'clock'>): Promise<void> {
  const partners = await showPartners({ database })
  const found = partners.find(({ partner }) => partner.name === DEMO_PARTNER.name)
  await atomically(database, async (within) => {
    const context = { database: within, clock }
    const { partner } = found ?? (await createPartner(context, ACTOR, DEMO_PARTNER))
    await allowEverything(context, partner)
    await addMissingCompanies(context, partner.id)
  })
}

async function allowEverything(context: Surroundings, partner: Partner): Promise<void> {
  for (const flag of PARTNER_FLAGS) {
    await changePartnerFlag(context, ACTOR, partner, [flag, true])
  }
  await changeClientPermission(context, ACTOR, DEMO_PARTNER.clientId, ['payroll', true])
}

/** A company that is there stays as it is, whatever an operator has made of it. */
async function addMissingCompanies(context: Surroundings, partnerId: string): Promise<void> {
  const present = await listCompanies(context, { partnerId })
  for (const company of sandbox.companies) {
    const isPresent = present.some(
      ({ country, organizationNumber }) =>
        country === company.countryCode && organizationNumber === company.organisationNumber,
    )
    if (!isPresent) {
      await addCompany(context, ACTOR, { partnerId, ...company, internationalPayments: true })
    }
  }
}
