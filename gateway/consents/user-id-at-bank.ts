/** Parses a user's id at a bank from its printed forms. */
import type { Bank } from '../banks/directory/bank.ts'
import { withPlainSeparators } from '../platform/copied-text.ts'

/** National ids as they are printed: birth date, separator, number. */
const PRINTED_NATIONAL_ID = /^([0-9]{6}(?:[0-9]{2})?)[ -]([0-9]{4,5})$/

/** The id in the bank's format, if that is what the text contains; otherwise the text. */
export function userIdAt({ profile }: Pick<Bank, 'profile'>, text: string): string {
  const pattern = new RegExp(profile.userId.pattern)
  const written = withPlainSeparators(text)
  const candidates = [text, written, written.replace(PRINTED_NATIONAL_ID, '$1$2')]
  return candidates.find((candidate) => pattern.test(candidate)) ?? text
}
