/** Validates the texts of an address abroad: their length and characters. */
import { findCharacterUnsupportedInSepa, transliterate } from '../character-sets.ts'
import { ADDRESS_LENGTHS } from '../field-lengths.ts'
import { isCountryCode } from '../iso-countries.ts'
import { describeUnsupportedCharacter } from '../unsupported-characters.ts'
import type { AddressMember } from './destination.ts'

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
  const [max, length] = [ADDRESS_LENGTHS[field], [...sent].length]
  if (length > max) {
    return `has ${length} characters; banks accept at most ${max}`
  }
  const unsupported = travels ? findCharacterUnsupportedInSepa(sent) : undefined
  return unsupported === undefined ? undefined : describeUnsupportedCharacter(unsupported)
}
