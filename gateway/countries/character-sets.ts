/** Finds characters that domestic payments do not support, and transliterates texts for cross-border payments; defines their lengths. */
import { withoutInvisible } from '../platform/copied-text.ts'
import { SEPA_CHARACTERS } from './country.ts'
import { countryRules } from './served-countries.ts'

/**
 * Letters as two letters, which German and Nordic banks and passports (ICAO 9303) use and the EPC permits: its own table
 * (EPC217-08) has one letter for each, so that Ø and O were one.
 */
const smallLetters: Readonly<Record<string, string>> = {
  æ: 'ae',
  ø: 'oe',
  å: 'aa',
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  œ: 'oe',
}

/** Of capital letters, too; signs as their nearest in the set. */
const latinSpellings: Readonly<Record<string, string>> = {
  ...smallLetters,
  ...Object.fromEntries(Object.entries(smallLetters).map((pair) => pair.map((text) => text.toUpperCase()))),
  ß: 'ss',
  ẞ: 'SS',
  ı: 'i',
  '&': '+',
  '€': 'EUR',
  '£': 'GBP',
  '"': "'",
  '`': "'",
  '\u00b4': "'",
  '\u2044': '/',
  '\u00d7': 'x',
  '\u00b7': '.',
  '\u2022': '-',
}

const SEPA_TEXT = new RegExp(`^[${SEPA_CHARACTERS}]+$`)
/** Quotation marks of every kind, and primes. */
const QUOTATION_MARK = /^[\p{Pi}\p{Pf}\u201a\u201e\u2032\u2033]$/u
/** Hyphens and dashes of every kind, and the minus sign. */
const DASH = /^[\p{Pd}\u2212\u2043]$/u

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

/** Blanks around a text are not sent, or removed by the bank. */
function misplacedSlash(text: string): UnsupportedCharacter | undefined {
  const slash = /^ *\/|\/\/|\/(?= *$)/.exec(text)
  return slash === null ? undefined : { character: '/', position: slash.index + slash[0].length }
}

/** The text of a cross-border payment. Domestic texts are never changed. */
export function transliterate(text: string): string {
  return Array.from(withoutInvisible(text).normalize('NFC'), toLatin).join('')
}

/** In the characters of SEPA and SWIFT, as far as there is a customary spelling; otherwise unchanged. */
function toLatin(character: string): string {
  const spelling = latinSpellings[character]
  if (spelling !== undefined) {
    return spelling
  }
  if (QUOTATION_MARK.test(character)) {
    return "'"
  }
  if (DASH.test(character)) {
    return '-'
  }
  // Letters without their accents, and what Unicode has for compatibility: ligatures, wide digits, spaces, three dots.
  const parts = character.normalize('NFKD').replace(/\p{Mn}/gu, '')
  const plain = Array.from(parts, (part) => latinSpellings[part] ?? part).join('')
  return SEPA_TEXT.test(plain) ? plain : character
}

/** ISO 20022: structured postal addresses. */
export const ADDRESS_LENGTHS = { streetName: 70, buildingNumber: 16, postCode: 16, city: 35 } as const

/** FX providers: names as they are sent, in the characters of SWIFT. */
export const NAME_LENGTH_WITH_EXCHANGE = 70

/** ISO 20022: unstructured remittance information; some banks and payment types have lower limits. */
export const MESSAGE_LENGTH = 140

/** SEPA: the text that only the debtor sees. */
const DEBTOR_REFERENCE_SEPA = 35

/** The maximum length of the text that only the debtor sees. */
export function debtorReferenceMax(countryCode: string): number {
  return countryRules(countryCode)?.domesticTexts.debtorReferenceMax ?? DEBTOR_REFERENCE_SEPA
}

/** An unsupported character and its position from 1, in user-perceived characters. */
export type UnsupportedCharacter = { readonly character: string; readonly position: number }

/** There are as many classes as bank profiles. */
const expressionByClass = new Map<string, RegExp>()
const segmenter = new Intl.Segmenter('en')

/** The first character outside the class, e.g. `[a-zA-Z0-9 ]`; undefined if there is none. */
export function findUnsupportedCharacter(text: string, characterClass: string): UnsupportedCharacter | undefined {
  const allowed = expressionByClass.get(characterClass) ?? new RegExp(`^${characterClass}*$`, 'u')
  expressionByClass.set(characterClass, allowed)
  // Nearly every text is valid, and segmenting graphemes is the expensive part.
  if (allowed.test(text)) {
    return undefined
  }
  const characters = Array.from(segmenter.segment(text), ({ segment }) => segment)
  const index = characters.findIndex((character) => !allowed.test(character))
  const character = characters[index]
  return character === undefined ? undefined : { character, position: index + 1 }
}

/** Formats the reason: `contains "€" (U+20AC) at position 4, which the bank does not accept`. */
export function describeUnsupportedCharacter({ character, position }: UnsupportedCharacter): string {
  const codes = [...character].map(
    (point) => `U+${(point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  )
  const invisible = /^[\p{C}\p{Z}]+$/u.test(character)
  // Composed and decomposed é look alike: only the codes differ.
  const shown = invisible ? codes.join(' ') : `"${character}" (${codes.join(' ')})`
  return `contains ${shown} at position ${position}, which the bank does not accept`
}
