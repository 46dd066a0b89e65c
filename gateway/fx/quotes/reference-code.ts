/** Generates the reference code that matches inbound funds to a quote, and finds it in remittance texts. */
import { randomInt } from 'node:crypto'
import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import type { Context } from '../../context.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'

const PREFIX = 'HVN'
/** Crockford's base 32: no letter that is easily read as a digit. Nine characters give 35 trillion codes. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CHARACTERS = 9
/** Codes of earlier releases have one more character; funds with them may still arrive. */
const LENGTHS_READ = [CHARACTERS + 1, CHARACTERS]
/** Letters that payers write for a digit. */
const LOOKALIKE_DIGITS: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' }
const SEPARATORS = /[\s\p{P}\p{Z}\p{Cf}]+/gu

/** Some Swedish banks send messages of twelve characters to other banks. */
export const REFERENCE_CODE_LENGTH = PREFIX.length + CHARACTERS

/** A new code, e.g. `HVN4T7Q0ZK2M`. */
export function newReferenceCode(): string {
  const characters = Array.from({ length: CHARACTERS }, () => ALPHABET.charAt(randomInt(ALPHABET.length)))
  return PREFIX + characters.join('')
}

/** Returns why payments of a bank cannot carry a code, or undefined when they can. */
export function referenceCodeUnsupportedReason({ name, profile }: Pick<Bank, 'name' | 'profile'>): string | undefined {
  const { constraints, rails } = profile
  const max = rails.account.messageMax ?? constraints.maxUnstructuredRemittanceInfoLengthToOtherBanks
  const allowed = new RegExp(`^${constraints.validInformationFieldCharactersPattern}*$`, 'u')
  const needed = 'The message of the funding payment must contain a reference code'
  if (max < REFERENCE_CODE_LENGTH) {
    return `${needed} of ${REFERENCE_CODE_LENGTH} characters; ${name} accepts at most ${max}`
  }
  return allowed.test(PREFIX + ALPHABET) ? undefined : `${needed} of letters and digits, which ${name} does not accept`
}

/** Returns the codes that a text may contain, regardless of case, separators, and letters in place of digits. */
export function referenceCodesIn(text: string): readonly string[] {
  const plain = text.toUpperCase().replace(SEPARATORS, '')
  const codes: string[] = []
  for (let at = plain.indexOf(PREFIX); at !== -1; at = plain.indexOf(PREFIX, at + 1)) {
    const written = plain.slice(at + PREFIX.length, at + PREFIX.length + Math.max(...LENGTHS_READ))
    const characters = [...written].map((character) => LOOKALIKE_DIGITS[character] ?? character)
    for (const length of LENGTHS_READ) {
      const code = characters.slice(0, length)
      if (code.length === length && code.every((character) => ALPHABET.includes(character))) {
        codes.push(PREFIX + code.join(''))
      }
    }
  }
  return [...new Set(codes)]
}

/** A BIC of eleven characters names a branch of the bank of the first eight (ISO 9362). */
const HEAD_OFFICE_BIC_LENGTH = 8

/** A bank that is not in the directory is not checked: its customers pay outside Havn. */
export async function referenceCodeErrors(
  { banks }: Context,
  { from }: ExchangeOrder,
): Promise<readonly ValidationError[]> {
  const bank = (await banks.find(from.bic)) ?? (await banks.find(from.bic.slice(0, HEAD_OFFICE_BIC_LENGTH)))
  const reason = bank && referenceCodeUnsupportedReason(bank)
  return reason === undefined ? [] : [{ code: 'InvalidRemittanceInformation', path: '.from.bic', reason }]
}
