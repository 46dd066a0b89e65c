/** Creates the demo partner, its companies and the sandbox's banks, so that a developer can start at once. */
import { demoCredentials } from '../../contract/examples/demo-fixture.ts'
import sandbox from '../../data/sandbox-directory.json' with { type: 'json' }
import { changeClientPermission, changePartnerPermission, PARTNER_PERMISSIONS } from '../auth/client-permissions.ts'
import { createPartner } from '../auth/create-partner.ts'
import { listPartnersWithClients } from '../auth/list-partners.ts'
import type { BankProfile } from '../banks/connector/bank-profile.ts'
import { putBank } from '../banks/directory/directory-entry.ts'
import { addCompany } from '../companies/add-company.ts'
import { listCompanies } from '../companies/list-companies.ts'
import type { Context } from '../context.ts'
import type { Partner } from '../partners/partner.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { offsetPort } from '../platform/http/offset-port.ts'

/** The addresses of the sandbox bank on this machine; that of XS2A is the first bank's, whose port those of the others follow. */
export type SandboxBankUrls = { readonly xs2aUrl: string; readonly pagesUrl: string }

const DEMO_PARTNER = { name: 'Demo partner', ...demoCredentials }
const ACTOR = 'sandbox'

/** Adds the sandbox's banks to the directory, at their current addresses. */
export async function upsertSandboxBanks(
  context: Context,
  profiles: ReadonlyMap<string, BankProfile>,
  { xs2aUrl, pagesUrl }: SandboxBankUrls,
): Promise<void> {
  await inTransaction(context, async (context) => {
    for (const [index, { path, ...bank }] of sandbox.banks.entries()) {
      const own = offsetPort(xs2aUrl, index)
      const linkHosts = [new URL(own).host, new URL(pagesUrl).host]
      await putBank(context.database, profiles, {
        ...bank,
        connector: 'berlin-group',
        address: `${own}/${path}`,
        linkHosts,
      })
    }
  })
}

/**
 * Creates the demo partner with its credentials and companies, or adds the companies that an earlier release lacked.
 */
export async function createDemoPartner(context: Context): Promise<void> {
  const found = await findDemoPartner(context)
  await inTransaction(context, async (context) => {
    const partner = found ?? (await createPartner(context, ACTOR, DEMO_PARTNER)).partner
    await grantAllPermissions(context, partner)
    await addMissingCompanies(context, partner.id)
  })
}

/** The demo partner; undefined in a sandbox on a database of its own. */
export async function findDemoPartner(context: Context): Promise<Partner | undefined> {
  const partners = await listPartnersWithClients(context)
  return partners.find(({ partner }) => partner.name === DEMO_PARTNER.name)?.partner
}

async function grantAllPermissions(context: Context, partner: Partner): Promise<void> {
  for (const flag of PARTNER_PERMISSIONS) {
    await changePartnerPermission(context, ACTOR, partner, [flag, true])
  }
  await changeClientPermission(context, ACTOR, DEMO_PARTNER.clientId, ['payroll', true])
}

/** An existing company stays as it is, including changes by operators. */
async function addMissingCompanies(context: Context, partnerId: string): Promise<void> {
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
