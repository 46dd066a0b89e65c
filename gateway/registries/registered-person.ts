/** Defines persons in company registries, and compares them: registries, eIDs and persons themselves spell names differently. */

import { withoutInvisible } from '../platform/copied-text.ts'

/** A registered person, identified only by name and birth date. */
export type RegisteredPerson = {
  readonly name: PersonName
  /** ISO 8601. */
  readonly birthDate: string
}

/** Middle names are given names. */
export type PersonName = { readonly given: string; readonly family: string }

/** The name as one text; some persons have a family name only. */
export function fullName({ given, family }: PersonName): string {
  return `${given} ${family}`.trim()
}

/** The role of a person at a company. */
export type RoleKind = (typeof ROLE_KINDS)[number]

export const ROLE_KINDS = [
  'chair',
  'deputy-chair',
  'board-member',
  /** Substitutes absent members. */
  'deputy-member',
  'managing-director',
  'partner',
  'proprietor',
  /** Appointed by the company to sign for it. */
  'signatory',
] as const

/** One role of one person. */
export type RegisteredRole = { readonly role: RoleKind; readonly person: RegisteredPerson }

/**
 * Whether they can be one person: same birth date, same first and last word of the name, and no middle name in the
 * shorter name that the longer one lacks (`Kari Nordmann` matches `Kari Anne Nordmann`, which `Kari Berg Nordmann` does
 * not).
 */
export function isSamePerson(one: RegisteredPerson, other: RegisteredPerson): boolean {
  if (one.birthDate !== other.birthDate) {
    return false
  }
  const [shorter, longer] = [wordsOf(one.name), wordsOf(other.name)].sort((a, b) => a.length - b.length)
  return shorter !== undefined && longer !== undefined && isContained(shorter, longer)
}

/** Letters with strokes, which Unicode does not decompose. */
const PLAIN: Readonly<Record<string, string>> = { đ: 'd', ı: 'i', ł: 'l', ŋ: 'n', ŧ: 't' }

/**
 * The words of a name, without case, non-Nordic accents, hyphens, punctuation and invisible characters. Å, Ä, Ö, Æ and
 * Ø are distinct letters.
 */
function wordsOf(name: PersonName): readonly string[] {
  return withoutInvisible(fullName(name))
    .normalize('NFD')
    .replace(/(?<![aAoO])\u0308|(?<![aA])\u030a|[\u0300-\u0307\u0309\u030b-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[đıłŋŧ]/g, (letter) => PLAIN[letter] ?? letter)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** First and last words are equal, and the others of the shorter name occur in the longer one in order. */
function isContained(shorter: readonly string[], longer: readonly string[]): boolean {
  if (shorter.length === 0 || shorter[0] !== longer[0] || shorter.at(-1) !== longer.at(-1)) {
    return false
  }
  let next = 1
  const last = longer.length - 1
  return shorter.slice(1, -1).every((word) => {
    const index = longer.indexOf(word, next)
    next = index + 1
    return index > 0 && index < last
  })
}
