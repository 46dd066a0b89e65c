/** Adds a company that an operator has checked by other means than the hosted flow. */

import { checkOrganisationNumber } from '../countries/served-countries.ts'
import { writeAuditEntry } from '../operators/audit-log.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { newId } from '../platform/ids.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { type Company, parseCompanyName } from './company.ts'
import { insertCompany } from './company-store.ts'

export type CompanyToAdd = Pick<Company, 'partnerId' | 'countryCode' | 'organisationNumber' | 'name'> & {
  /** Registered without onboarding: the company cannot pay. */
  readonly accountInformationOnly?: boolean
  /** Whether it may pay to other countries; false by default. */
  readonly internationalPayments?: boolean
}

/** Adds a company with an active subscription. Throws when the number or name is invalid, or the company exists. */
export async function addCompany(
  context: ProgramContext,
  actor: string,
  { accountInformationOnly = false, internationalPayments = false, ...wanted }: CompanyToAdd,
): Promise<Company> {
  const company: Company = {
    partnerId: wanted.partnerId,
    id: newId(),
    countryCode: wanted.countryCode,
    organisationNumber: requireOrganisationNumber(wanted),
    name: parseCompanyName(wanted.name),
    onboarded: !accountInformationOnly,
    activeSubscription: true,
    services: accountInformationOnly ? ['AIS'] : ['AIS', 'PIS'],
    internationalPayments,
    onboardingId: null,
  }
  await inTransaction(context, async (context) => {
    if (!(await insertCompany(context.database, company, context.clock.now()))) {
      throw apiError(
        'conflict',
        `The partner already has the company ${wanted.countryCode} ${company.organisationNumber}`,
      )
    }
    const { partnerId, id, countryCode, organisationNumber, name, services } = company
    const detail = { countryCode, organisationNumber, name, services }
    const entry = { partnerId, actor, action: 'company added', subject: ['company', id] as const, detail }
    await writeAuditEntry(context, entry)
  })
  return company
}

/** The organisation number in its stored form. Throws when it is not valid in its country. */
export function requireOrganisationNumber({
  countryCode,
  organisationNumber,
}: Pick<Company, 'countryCode' | 'organisationNumber'>): string {
  const checked = checkOrganisationNumber(countryCode, organisationNumber)
  if (!checked.ok) {
    throw apiError('bad-request', `The organisation number ${checked.reason}`)
  }
  return checked.organisationNumber
}
