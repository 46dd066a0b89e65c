/** The business rules on asking for a consent, one function each. */
import type { ConsentAsked } from '../../contract/consents.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { checkCallbackUrl } from '../authorisations/callback-url-validation.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { Context } from '../context.ts'
import { checkOrganisationNumber } from '../countries/organisation-number.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'

const NO_SUCH_BANK: Problem = {
  code: 'InvalidRequest',
  reason: 'There is no bank with this BIC; GET /api/v2/banks/{countryCode} lists those there are',
  path: '.bic',
}

/** Every problem that the rules find; parts that are not sound are left to their schema. */
export async function consentProblems(
  context: Context,
  caller: PartnerCaller,
  asked: ConsentAsked,
  isSound: (path: string) => boolean,
): Promise<readonly Problem[]> {
  const bank = isSound('.bic') ? await context.banks.find(asked.bic) : undefined
  return [
    ...(isSound('.bic') && bank === undefined ? [NO_SUCH_BANK] : []),
    ...(isSound('.callbackUrl') ? checkCallbackUrl(context.config, caller, asked.callbackUrl) : []),
    ...(bank !== undefined && isSound('.organizationNumber') ? checkNumber(bank, asked) : []),
    ...(bank !== undefined && isSound('.userId') ? checkUserId(bank, asked) : []),
    ...(bank !== undefined && isSound('.country') ? checkCountry(bank, asked) : []),
  ]
}

function checkNumber({ countryCode }: Bank, { organizationNumber }: ConsentAsked): readonly Problem[] {
  const checked = checkOrganisationNumber(countryCode, String(organizationNumber))
  return checked.ok
    ? []
    : [{ code: 'InvalidRequest', reason: `The organisation number ${checked.reason}`, path: '.organizationNumber' }]
}

function checkUserId({ name, profile }: Bank, { userId }: ConsentAsked): readonly Problem[] {
  const { required, label, pattern, example } = profile.userId
  if (userId === undefined) {
    const reason = `${name} needs it: ${label}, for example ${example}`
    return required ? [{ code: 'InvalidRequest', reason, path: '.userId' }] : []
  }
  return new RegExp(pattern).test(userId)
    ? []
    : [{ code: 'InvalidRequest', reason: `must be a ${label}, for example ${example}`, path: '.userId' }]
}

function checkCountry({ countryCode, name }: Bank, { country }: ConsentAsked): readonly Problem[] {
  const reason = `${name} serves companies of ${countryCode}`
  return country === undefined || country === countryCode ? [] : [{ code: 'InvalidRequest', reason, path: '.country' }]
}
