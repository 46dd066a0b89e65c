/** The characters that payments of a country may hold, and how texts are rewritten to cross a border. */
import { firstStrangeCharacter, type StrangeCharacter } from './unsupported-characters.ts'

/** SWIFT's set X, which SEPA uses too. */
const X = "a-zA-Z0-9/\\-?:().,'+ "

/**
 * Character classes. Finland's domestic payments are SEPA's with the letters of its names, which its banks rewrite at the
 * border (Nordea Finland, Corporate Payments Service); elsewhere SEPA's own set applies.
 */
const classByCountry: Readonly<Record<string, string>> = {
  NO: `[${X}ÆØÅæøåÄÖäöéüÉÜ&%=@§!]`,
  SE: `[${X}ÅÄÖåäöéÉüÜ&]`,
  DK: `[${X}ÆØÅæøå&]`,
  FI: `[${X}ÅÄÖåäö]`,
}

/** After the EPC's conversion table; what it leaves out loses its accents. */
const rewritten: Readonly<Record<string, string>> = {
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

/** The first character that a domestic payment of the country may not hold, or that its bank does not take. */
export function firstStrangeTo(countryCode: string, text: string, bankClass?: string): StrangeCharacter | undefined {
  const domestic = Object.hasOwn(classByCountry, countryCode) ? classByCountry[countryCode] : undefined
  const found = [
    domestic === undefined ? firstStrangeToSepa(text) : firstStrangeCharacter(text, domestic),
    countryCode === 'FI' ? misplacedSlash(text) : undefined,
    bankClass === undefined ? undefined : firstStrangeCharacter(text, bankClass),
  ]
  return found
    .flatMap((strange) => strange ?? [])
    .toSorted((one, other) => one.position - other.position)
    .at(0)
}

/** The first character that SEPA and SWIFT do not take; a slash may stand neither at an end nor beside another. */
export function firstStrangeToSepa(text: string): StrangeCharacter | undefined {
  const strange = firstStrangeCharacter(text, `[${X}]`)
  const slash = misplacedSlash(text)
  return slash === undefined || (strange !== undefined && strange.position < slash.position) ? strange : slash
}

function misplacedSlash(text: string): StrangeCharacter | undefined {
  const slash = /^\/|\/\/|\/$/.exec(text)
  return slash === null ? undefined : { character: '/', position: slash.index + slash[0].length }
}

/** The text as it is sent across a border. Domestic texts are never changed. */
export function transliterate(text: string): string {
  return [...text.normalize('NFC')].map((character) => rewritten[character] ?? withoutAccents(character)).join('')
}

function withoutAccents(character: string): string {
  const plain = character.normalize('NFD').replace(/\p{Mn}/gu, '')
  return /^[a-zA-Z]$/.test(plain) ? plain : character
}
