/** Makes the code by which money that arrives at a provider is known, and finds it in what payers wrote. */
import { randomInt } from 'node:crypto'
import type { Bank } from '../../banks/directory/bank.ts'

const PREFIX = 'HVN'
/** Crockford's: no letter that is taken for a digit. Nine of them are 35 million million codes. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CHARACTERS = 9
/** Codes of earlier releases have one more; their money may still arrive. */
const LENGTHS_READ = [CHARACTERS + 1, CHARACTERS]
/** What people write for a digit. */
const WRITTEN_FOR: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' }
const SEPARATORS = /[\s\p{P}\p{Z}\p{Cf}]+/gu

/** Some Swedish banks send messages of twelve characters to other banks. */
export const REFERENCE_CODE_LENGTH = PREFIX.length + CHARACTERS

/** A new code, e.g. `HVN4T7Q0ZK2M`. */
export function newReferenceCode(): string {
  const characters = Array.from({ length: CHARACTERS }, () => ALPHABET.charAt(randomInt(ALPHABET.length)))
  return PREFIX + characters.join('')
}

/** Why a payment from a bank to the provider's account cannot carry a code; undefined when it can. */
export function whyReferenceDoesNotFit({ name, profile }: Pick<Bank, 'name' | 'profile'>): string | undefined {
  const { constraints, rails } = profile
  const max = rails.account.messageMax ?? constraints.maxUnstructuredRemittanceInfoLengthToOtherBanks
  const allowed = new RegExp(`^${constraints.validInformationFieldCharactersPattern}*$`, 'u')
  const needed = `The message of the payment that funds an exchange must hold a reference code`
  if (max < REFERENCE_CODE_LENGTH) {
    return `${needed} of ${REFERENCE_CODE_LENGTH} characters; ${name} takes ${max}`
  }
  return allowed.test(PREFIX + ALPHABET) ? undefined : `${needed} of letters and digits, which ${name} does not take`
}

/** Every code that a text may hold, whatever its case, with spaces anywhere and letters in place of digits. */
export function referenceCodesIn(text: string): readonly string[] {
  const plain = text.toUpperCase().replace(SEPARATORS, '')
  const codes: string[] = []
  for (let at = plain.indexOf(PREFIX); at !== -1; at = plain.indexOf(PREFIX, at + 1)) {
    const written = plain.slice(at + PREFIX.length, at + PREFIX.length + Math.max(...LENGTHS_READ))
    const characters = [...written].map((character) => WRITTEN_FOR[character] ?? character)
    for (const length of LENGTHS_READ) {
      const code = characters.slice(0, length)
      if (code.length === length && code.every((character) => ALPHABET.includes(character))) {
        codes.push(PREFIX + code.join(''))
      }
    }
  }
  return [...new Set(codes)]
}
