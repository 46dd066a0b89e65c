/** The rule on the organisation number of the company that pays, for every order that may name it. */
import { checkOrganisationNumber } from '../../countries/organisation-number.ts'
import type { Finding, Situation } from '../../orders/instructions/validation-context.ts'

/** Partners may leave it out; one that is there must not speak of somebody else. */
export function checkSenderNumber(
  { from: { organizationNumber } }: { readonly from: { readonly organizationNumber?: string | number } },
  { bank, organisationNumber }: Situation,
): Finding {
  if (organizationNumber === undefined) {
    return undefined
  }
  const checked = checkOrganisationNumber(bank.countryCode, String(organizationNumber))
  return checked.ok && checked.organisationNumber === organisationNumber
    ? undefined
    : { code: 'InvalidRequest', reason: `is not the company of the consent, ${organisationNumber}` }
}
