/** Finds characters that domestic payments do not support, and transliterates texts for cross-border payments. */
import { countryRules } from './served-countries.ts'
import { findUnsupportedCharacter, SEPA_CHARACTERS, type UnsupportedCharacter } from './unsupported-characters.ts'

/** From the EPC's conversion table; characters that it does not list lose their accents. */
const replacements: Readonly<Record<string, string>> = {
  æ: 'ae',
  ø: 'oe',
  å: 'aa',
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  é: 'e',
  ß: 'ss',
  Æ: 'AE',
  Ø: 'OE',
  Å: 'AA',
  Ä: 'AE',
  Ö: 'OE',
  Ü: 'UE',
  É: 'E',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  œ: 'oe',
  Œ: 'OE',
  ı: 'i',
  '&': '+',
}

/** The first character that domestic payments of the country, or the bank, do not support. */
export function findCharacterUnsupportedIn(
  countryCode: string,
  text: string,
  bankClass?: string,
): UnsupportedCharacter | undefined {
  const domestic = countryRules(countryCode)?.domesticTexts
  const found = [
    domestic === undefined
      ? findCharacterUnsupportedInSepa(text)
      : findUnsupportedCharacter(text, domestic.characterClass),
    domestic?.areSepa === true ? misplacedSlash(text) : undefined,
    bankClass === undefined ? undefined : findUnsupportedCharacter(text, bankClass),
  ]
  return found
    .flatMap((unsupported) => unsupported ?? [])
    .toSorted((one, other) => one.position - other.position)
    .at(0)
}

/** The same for an id. SEPA's ids have only its own characters, also where its texts may have national letters. */
export function findCharacterUnsupportedInId(
  countryCode: string,
  id: string,
  bankClass?: string,
): UnsupportedCharacter | undefined {
  const isSepa = countryRules(countryCode)?.domesticTexts.areSepa === true
  return (
    (isSepa ? findCharacterUnsupportedInSepa(id) : undefined) ?? findCharacterUnsupportedIn(countryCode, id, bankClass)
  )
}

/** The first character that SEPA and SWIFT do not support; slashes may not be first, last or doubled. */
export function findCharacterUnsupportedInSepa(text: string): UnsupportedCharacter | undefined {
  const unsupported = findUnsupportedCharacter(text, `[${SEPA_CHARACTERS}]`)
  const slash = misplacedSlash(text)
  return slash === undefined || (unsupported !== undefined && unsupported.position < slash.position)
    ? unsupported
    : slash
}

function misplacedSlash(text: string): UnsupportedCharacter | undefined {
  const slash = /^\/|\/\/|\/$/.exec(text)
  return slash === null ? undefined : { character: '/', position: slash.index + slash[0].length }
}

/** The text of a cross-border payment. Domestic texts are never changed. */
export function transliterate(text: string): string {
  return [...text.normalize('NFC')].map((character) => replacements[character] ?? withoutAccents(character)).join('')
}

function withoutAccents(character: string): string {
  const plain = character.normalize('NFD').replace(/\p{Mn}/gu, '')
  return /^[a-zA-Z]$/.test(plain) ? plain : character
}
