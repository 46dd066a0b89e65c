/** Adds a company that an operator has checked by other means than the hosted flow. */
import type { Context } from '../context.ts'
import { checkOrganisationNumber } from '../countries/organisation-number.ts'
import { atomically, type Queryable } from '../foundation/database/atomically.ts'
import { newId } from '../foundation/ids.ts'
import { writeAudit } from '../operators/audit-log.ts'
import type { Company } from './company.ts'
import { insertCompany } from './company-store.ts'

/** What the operator says of it. */
export type CompanyWanted = Pick<Company, 'partnerId' | 'countryCode' | 'organisationNumber' | 'name'>

/** Adds an onboarded company with an active subscription. Throws when its number is none, or is there already. */
export async function addCompany(
  { database, clock }: Pick<Context, 'clock'> & { readonly database: Queryable },
  actor: string,
  wanted: CompanyWanted,
): Promise<Company> {
  const checked = checkOrganisationNumber(wanted.countryCode, wanted.organisationNumber)
  if (!checked.ok) {
    throw new Error(`The organisation number ${checked.reason}`)
  }
  const company: Company = {
    ...wanted,
    id: newId(),
    organisationNumber: checked.organisationNumber,
    onboarded: true,
    activeSubscription: true,
    services: ['AIS', 'PIS'],
    internationalPayments: false,
    onboardingId: null,
  }
  await atomically(database, async (within) => {
    if (!(await insertCompany(within, company, clock.now()))) {
      throw new Error(`The partner has the company ${wanted.countryCode} ${company.organisationNumber} already`)
    }
    const subject = ['company', company.id] as const
    const entry = { partnerId: wanted.partnerId, actor, action: 'company added', subject }
    await writeAudit({ database: within, clock }, entry)
  })
  return company
}
