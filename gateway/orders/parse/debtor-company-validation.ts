/** Validates the organisation number of the debtor, for every order that may contain it. */
import { checkOrganisationNumber } from '../../countries/organisation-number.ts'
import type { RuleResult, ValidationContext } from './validation-context.ts'

/** The number is optional; if present it must be that of the consent's company. */
export function checkDebtorOrganisationNumber(
  { from: { organizationNumber } }: { readonly from: { readonly organizationNumber?: string | number } },
  { bank, organisationNumber }: ValidationContext,
): RuleResult {
  if (organizationNumber === undefined) {
    return undefined
  }
  const checked = checkOrganisationNumber(bank.countryCode, String(organizationNumber))
  return checked.ok && checked.organisationNumber === organisationNumber
    ? undefined
    : { code: 'InvalidRequest', reason: `is not the company of the consent, ${organisationNumber}` }
}
