/** Validates the address of a receiver abroad: the fields that its bank requires, and the format of its post code. */
import { withPlainSeparators } from '../../platform/copied-text.ts'
import { isCountryCode } from '../bic.ts'
import {
  ADDRESS_LENGTHS,
  describeUnsupportedCharacter,
  findCharacterUnsupportedInSepa,
  transliterate,
} from '../character-sets.ts'
import type { AddressMember, Destination, Finding } from './destination.ts'
import type { CountryRequirements } from './requirements-table.ts'

/** Returns why a field cannot be sent, or undefined. Characters are checked only if the address is sent (`travels`). */
export function addressTextError(
  field: AddressMember,
  text: string,
  { travels }: { readonly travels: boolean },
): string | undefined {
  if (field === 'country') {
    return isCountryCode(text) ? undefined : `is not an ISO 3166-1 country code: ${text}`
  }
  // Some letters are transliterated to SWIFT's character set.
  const sent = transliterate(text)
  if (text !== '' && sent.trim() === '') {
    return 'is blank'
  }
  const [max, length] = [ADDRESS_LENGTHS[field], [...sent].length]
  if (length > max) {
    return `has ${length} characters; banks accept at most ${max}`
  }
  const unsupported = travels ? findCharacterUnsupportedInSepa(sent) : undefined
  return unsupported === undefined ? undefined : describeUnsupportedCharacter(unsupported)
}

/** Country prefixes of post codes: `SE-111 20`, `DK 2100`. */
const COUNTRY_BEFORE = /^([A-Z]{1,2})[- ](?=[0-9])/

/** The bank's country determines the required fields; the receiver's country the format of the post code. */
export function validateAddress(
  { address }: Destination,
  { address: required, name }: CountryRequirements,
  { country, postCode, name: receiverCountry }: CountryRequirements,
): readonly Finding[] {
  const missing = required
    .filter((member) => isBlank(address[member]))
    .map((member): Finding => {
      const reason = `is missing: banks in ${name} require it`
      return { part: `address.${member}`, fault: { kind: 'address-missing', member }, reason }
    })
  const { postCode: given = '' } = address
  if (isBlank(given) || postCode === undefined || isPostCode(given, country, postCode.pattern)) {
    return missing
  }
  const fault = { kind: 'address-malformed', member: 'postCode' } as const
  const reason = `is not a post code of ${receiverCountry}, as in ${postCode.example}`
  return [...missing, { part: 'address.postCode', fault, reason }]
}

function isPostCode(givenPostCode: string, country: string, pattern: string): boolean {
  const text = withPlainSeparators(givenPostCode).toUpperCase()
  const expression = new RegExp(pattern)
  const [before, letters] = COUNTRY_BEFORE.exec(text) ?? []
  return (
    expression.test(text) ||
    (before !== undefined &&
      letters !== undefined &&
      country.startsWith(letters) &&
      expression.test(text.slice(before.length)))
  )
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === ''
}
