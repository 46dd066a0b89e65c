/** Distinguishes banks' texts from blanks and placeholders, wherever they serve as ids, as keys or for comparisons. */

/** In upper case, without anything but letters and digits. Banks' own, those of ISO 20022, and of the Nordic languages. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  ...['NOTPROVIDED', 'NOTAVAILABLE', 'NOTAPPLICABLE', 'NOTSPECIFIED', 'NOTGIVEN', 'NOTKNOWN', 'NOTUSED', 'NOTSET'],
  ...['NA', 'NONE', 'NULL', 'NIL', 'UNDEFINED', 'UNKNOWN', 'UNSPECIFIED', 'EMPTY', 'NOREF', 'NOREFERENCE'],
  ...['UKJENT', 'IKKEOPPGITT', 'OKÄND', 'EJANGIVEN', 'SAKNAS', 'UKENDT', 'IKKEANGIVET', 'TUNTEMATON'],
])
/** A number that is no number, and a mask for one. */
const FILLER = /^(0+|X{3,})$/
const NO_LETTER_OR_DIGIT = /[^\p{L}\p{N}]/gu
const INVISIBLE_AT_EDGES = /^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu
/** The part of a number that a bank hides. */
const MASK = /[*•#]|x{3,}/i

/** The text without blanks around it; null where it is absent, blank, or stands for nothing. */
export function statedText(text: string | null | undefined): string | null {
  const trimmed = text?.replace(INVISIBLE_AT_EDGES, '') ?? ''
  const letters = trimmed.normalize('NFKC').replace(NO_LETTER_OR_DIGIT, '').toUpperCase()
  return letters === '' || PLACEHOLDERS.has(letters) || FILLER.test(letters) ? null : trimmed
}

/** The same for an account number that is compared: one of which a part is hidden proves nothing. */
export function comparableNumber(number: string | null | undefined): string | null {
  const stated = statedText(number)
  return stated === null || MASK.test(stated) ? null : stated
}
