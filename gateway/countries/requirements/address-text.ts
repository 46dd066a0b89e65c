/** The rule on texts of an address abroad: how long they are, and which characters they hold. */
import { firstStrangeToSepa, transliterate } from '../character-sets.ts'
import type { AddressMember } from '../destinations/destination.ts'
import { ADDRESS_LENGTHS } from '../field-lengths.ts'
import { isCountryCode } from '../iso-countries.ts'
import { tellStrangeCharacter } from '../unsupported-characters.ts'

/** Why a member cannot be sent; undefined when it can. The characters count only of an address that `travels`. */
export function addressTextFault(
  member: AddressMember,
  text: string,
  { travels }: { readonly travels: boolean },
): string | undefined {
  if (member === 'country') {
    return isCountryCode(text) ? undefined : `is no country of ISO 3166-1: ${text}`
  }
  // Letters that have a spelling in those of SWIFT are rewritten on the way.
  const sent = transliterate(text)
  const [max, length] = [ADDRESS_LENGTHS[member], [...sent].length]
  if (length > max) {
    return `has ${length} characters; banks take ${max}`
  }
  const strange = travels ? firstStrangeToSepa(sent) : undefined
  return strange === undefined ? undefined : tellStrangeCharacter(strange)
}
