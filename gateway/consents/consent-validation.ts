/** Validates consent requests, one function per rule. */
import type { ConsentRequest } from '../../contract/consents.ts'
import { validateCallbackUrl } from '../auth/callback-origin.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { Bank } from '../banks/connector/bank.ts'
import { validateOrganisationNumber } from '../companies/validate-company-request.ts'
import type { Context } from '../context.ts'
import { withPlainSeparators } from '../platform/copied-text.ts'
import type { ValidationError } from '../platform/http/errors/api-error.ts'

const UNKNOWN_BANK: ValidationError = {
  code: 'InvalidRequest',
  reason: 'Unknown BIC; GET /api/v2/banks/{countryCode} lists the banks',
  path: '.bic',
}

/** National ids as they are printed: birth date, separator, number. */
const PRINTED_NATIONAL_ID = /^([0-9]{6}(?:[0-9]{2})?)[ -]([0-9]{4,5})$/

/** All validation errors; fields that fail their schema are skipped. */
export async function validateConsentRequest(
  context: Context,
  caller: PartnerCaller,
  request: ConsentRequest,
  isSound: (path: string) => boolean,
): Promise<readonly ValidationError[]> {
  const bank = isSound('.bic') ? await context.banks.find(request.bic) : undefined
  return [
    ...(isSound('.bic') && bank === undefined ? [UNKNOWN_BANK] : []),
    ...(isSound('.callbackUrl') ? validateCallbackUrl(context.config, caller, request.callbackUrl) : []),
    ...(bank !== undefined && isSound('.organizationNumber')
      ? validateOrganisationNumber(bank.countryCode, request)
      : []),
    ...(bank !== undefined && isSound('.userId') ? validateUserId(bank, request) : []),
    ...(bank !== undefined && isSound('.country') ? validateCountry(bank, request) : []),
  ]
}

function validateUserId({ name, profile }: Bank, { userId }: ConsentRequest): readonly ValidationError[] {
  const { required, label, pattern, example } = profile.userId
  if (userId === undefined) {
    const reason = `${name} requires the user id: ${label}, for example ${example}`
    return required ? [{ code: 'InvalidRequest', reason, path: '.userId' }] : []
  }
  return new RegExp(pattern).test(userIdAt({ profile }, userId))
    ? []
    : [{ code: 'InvalidRequest', reason: `must be a ${label}, for example ${example}`, path: '.userId' }]
}

function validateCountry({ countryCode, name }: Bank, { country }: ConsentRequest): readonly ValidationError[] {
  const reason = `${name} only serves companies of ${countryCode}`
  return country === undefined || country === countryCode ? [] : [{ code: 'InvalidRequest', reason, path: '.country' }]
}

/** The id in the bank's format, if that is what the text contains; otherwise the text. */
export function userIdAt({ profile }: Pick<Bank, 'profile'>, text: string): string {
  const pattern = new RegExp(profile.userId.pattern)
  const written = withPlainSeparators(text)
  const candidates = [text, written, written.replace(PRINTED_NATIONAL_ID, '$1$2')]
  return candidates.find((candidate) => pattern.test(candidate)) ?? text
}
