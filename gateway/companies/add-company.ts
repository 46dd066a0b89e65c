/** Adds a company that an operator has checked by other means than the hosted flow. */
import type { Context } from '../context.ts'
import { checkOrganisationNumber } from '../countries/organisation-number.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import { atomically, type Queryable } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/ids.ts'
import { type Company, readCompanyName } from './company.ts'
import { insertCompany } from './company-store.ts'

/** What the operator says of it. */
export type CompanyWanted = Pick<Company, 'partnerId' | 'countryCode' | 'organisationNumber' | 'name'> & {
  /** Whether it is registered without being onboarded, so that it cannot pay. */
  readonly accountInformationOnly?: boolean
  /** Whether it may pay to other countries; not unless told so. */
  readonly internationalPayments?: boolean
}

/** Adds a company with an active subscription. Throws when its number or name is none, or is there already. */
export async function addCompany(
  { database, clock }: Pick<Context, 'clock'> & { readonly database: Queryable },
  actor: string,
  { accountInformationOnly = false, internationalPayments = false, ...wanted }: CompanyWanted,
): Promise<Company> {
  const company: Company = {
    ...wanted,
    id: newId(),
    organisationNumber: requireOrganisationNumber(wanted),
    name: readCompanyName(wanted.name),
    onboarded: !accountInformationOnly,
    activeSubscription: true,
    services: accountInformationOnly ? ['AIS'] : ['AIS', 'PIS'],
    internationalPayments,
    onboardingId: null,
  }
  await atomically(database, async (within) => {
    if (!(await insertCompany(within, company, clock.now()))) {
      throw new Error(`The partner has the company ${wanted.countryCode} ${company.organisationNumber} already`)
    }
    const { partnerId, id, countryCode, organisationNumber, name, services } = company
    const detail = { countryCode, organisationNumber, name, services }
    const entry = { partnerId, actor, action: 'company added', subject: ['company', id] as const, detail }
    await writeAudit({ database: within, clock }, entry)
  })
  return company
}

/** The organisation number as it is kept. Throws when its country gives no such numbers. */
export function requireOrganisationNumber({
  countryCode,
  organisationNumber,
}: Pick<Company, 'countryCode' | 'organisationNumber'>): string {
  const checked = checkOrganisationNumber(countryCode, organisationNumber)
  if (!checked.ok) {
    throw new Error(`The organisation number ${checked.reason}`)
  }
  return checked.organisationNumber
}
