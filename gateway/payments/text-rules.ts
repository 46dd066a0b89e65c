/** The rules on names, addresses and ids of a domestic payment: how long they are, and which characters they hold. */

import { carriedParts } from '../banks/carried-parts.ts'
import type { Bank } from '../banks/directory/bank.ts'
import { firstStrangeTo, firstStrangeToSepa } from '../countries/character-sets.ts'
import { ADDRESS_LENGTHS } from '../countries/field-lengths.ts'
import { isCountryCode } from '../countries/iso-countries.ts'
import { tellStrangeCharacter } from '../countries/unsupported-characters.ts'
import type { Finding } from '../orders/instructions/validation-context.ts'

export type AddressMember = keyof typeof ADDRESS_LENGTHS

/** Names of senders; those of receivers may have to be shorter on some rails. */
export function checkName(bank: Bank, name: string, whose: 'Sender' | 'Recipient', railMax: number | null): Finding {
  const max = railMax ?? bank.profile.constraints.maxInformationFieldLength
  const length = [...name].length
  if (length > max) {
    return { code: `${whose}NameTooLong`, reason: `has ${length} characters; ${bank.name} takes ${max}` }
  }
  return checkText(bank, name)
}

/** A member of an address; whoever leaves it out has nothing wrong. Characters count where the bank is told them. */
export function checkAddressMember(
  bank: Bank,
  side: 'from' | 'to',
  member: AddressMember,
  text: string | undefined,
): Finding {
  const [max, length] = [ADDRESS_LENGTHS[member], [...(text ?? '')].length]
  if (length > max) {
    return { code: 'InvalidRequest', reason: `has ${length} characters; banks take ${max}` }
  }
  return side === 'to' && carriedParts(bank).creditorAddress ? checkText(bank, text ?? '') : undefined
}

export function checkAddressCountry(country: string | undefined): Finding {
  return country === undefined || isCountryCode(country)
    ? undefined
    : { code: 'InvalidRequest', reason: `${country} is no country of ISO 3166-1` }
}

/** As much of an identification as the bank is told: where domestic payments are SEPA's, with SEPA's own characters. */
export function checkEndToEndId(bank: Bank, endToEndId: string): Finding {
  const sent = carriedParts(bank).endToEndId(endToEndId)
  if (sent === null) {
    return undefined
  }
  const strange = bank.countryCode === 'FI' ? firstStrangeToSepa(sent) : undefined
  return strange === undefined
    ? checkText(bank, sent)
    : { code: 'InvalidCharacters', reason: tellStrangeCharacter(strange) }
}

/** Names the first character that the bank, or the payments of its country, do not take. */
export function checkText({ profile, countryCode }: Bank, text: string): Finding {
  const strange = firstStrangeTo(countryCode, text, profile.constraints.validInformationFieldCharactersPattern)
  return strange === undefined ? undefined : { code: 'InvalidCharacters', reason: tellStrangeCharacter(strange) }
}
