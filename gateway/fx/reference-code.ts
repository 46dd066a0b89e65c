/** Makes the code by which money that arrives at a provider is known, and finds it in what payers wrote. */
import { randomInt } from 'node:crypto'

const PREFIX = 'HVN'
/** Crockford's: no letter that is taken for a digit. Ten of them are a thousand million million codes. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CHARACTERS = 10
/** What people write for a digit. */
const WRITTEN_FOR: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' }
const SEPARATORS = /[\s\p{P}\p{Z}\p{Cf}]+/gu

/** A new code, e.g. `HVN4T7Q0ZK2M9`; it fits the message of every bank. */
export function newReferenceCode(): string {
  const characters = Array.from({ length: CHARACTERS }, () => ALPHABET.charAt(randomInt(ALPHABET.length)))
  return PREFIX + characters.join('')
}

/** Every code that a text may hold, whatever its case, with spaces anywhere and letters in place of digits. */
export function referenceCodesIn(text: string): readonly string[] {
  const plain = text.toUpperCase().replace(SEPARATORS, '')
  const codes: string[] = []
  for (let at = plain.indexOf(PREFIX); at !== -1; at = plain.indexOf(PREFIX, at + 1)) {
    const written = plain.slice(at + PREFIX.length, at + PREFIX.length + CHARACTERS)
    const characters = [...written].map((character) => WRITTEN_FOR[character] ?? character)
    if (characters.length === CHARACTERS && characters.every((character) => ALPHABET.includes(character))) {
      codes.push(PREFIX + characters.join(''))
    }
  }
  return [...new Set(codes)]
}
