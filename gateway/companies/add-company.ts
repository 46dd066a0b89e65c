/** Adds a company that an operator has checked by other means than the hosted flow. */

import { checkOrganisationNumber } from '../countries/served-countries.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { type Company, parseCompanyName } from './company.ts'
import { createCompany } from './create-company.ts'

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
  const number = { ...wanted, organisationNumber: requireOrganisationNumber(wanted) }
  const company = await createCompany(context, actor, 'company added', {
    ...number,
    name: parseCompanyName(wanted.name),
    onboarded: !accountInformationOnly,
    internationalPayments,
  })
  if (company === undefined) {
    throw apiError('conflict', `The partner already has the company ${number.countryCode} ${number.organisationNumber}`)
  }
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
