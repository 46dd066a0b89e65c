/** Tells whether two records of people can be one person: registries, eIDs and people themselves spell names differently. */
import type { PersonName, RegisteredPerson } from './registered-person.ts'

/**
 * Whether they can be one person: the same birth date, the same first and last name, and no name between them that both
 * have and that differs (`Kari Nordmann` is `Kari Anne Nordmann`, whom `Kari Berg Nordmann` is not).
 */
export function isSamePerson(one: RegisteredPerson, other: RegisteredPerson): boolean {
  if (one.birthDate !== other.birthDate) {
    return false
  }
  const [shorter, longer] = [wordsOf(one.name), wordsOf(other.name)].sort((a, b) => a.length - b.length)
  return shorter !== undefined && longer !== undefined && isContained(shorter, longer)
}

/**
 * The words of a name: case, accents that no Nordic alphabet has, hyphens and punctuation do not count. Å, Ä, Ö, Æ and Ø
 * are letters of their own and do.
 */
function wordsOf({ given, family }: PersonName): readonly string[] {
  return `${given} ${family}`
    .normalize('NFD')
    .replace(/(?<![aAoO])\u0308|(?<![aA])\u030a|[\u0300-\u0307\u0309\u030b-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** First and last words agree, and the others of the shorter come in the longer, in their order. */
function isContained(shorter: readonly string[], longer: readonly string[]): boolean {
  if (shorter.length === 0 || shorter[0] !== longer[0] || shorter.at(-1) !== longer.at(-1)) {
    return false
  }
  let next = 1
  const last = longer.length - 1
  return shorter.slice(1, -1).every((word) => {
    const place = longer.indexOf(word, next)
    next = place + 1
    return place > 0 && place < last
  })
}
