/** Reads and redacts texts of banks. */
import { allCountryRules } from '../../countries/served-countries.ts'

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

const HAS_OFFSET = /T[^T]*(?:Z|[+-]\d\d(?::?\d\d)?)$/i

/** A time without an offset is in the bank's time zone; null for what is no time. */
export function statedInstant(text: string | null | undefined, timeZone: string): Temporal.Instant | null {
  try {
    return HAS_OFFSET.test(text ?? '')
      ? Temporal.Instant.from(text ?? '')
      : Temporal.PlainDateTime.from(text ?? '')
          .toZonedDateTime(timeZone)
          .toInstant()
  } catch {
    return null
  }
}

const REDACTED = '…'
/** Maximum length of a message text in the standard. */
const LENGTH_MAX = 500

const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g
/** Eight or more digits with single separators: account numbers and most national ids. */
const DATE_OR_LONG_NUMBER = /\b(\d{4}-\d{2}-\d{2})(?![\d-])|\d(?:[ .\-/+]?\d){7,}/g
const NATIONAL_IDS_WITH_LETTERS = allCountryRules.flatMap(({ nationalIds }) => nationalIds.withLetters ?? [])
const CONTROL_CHARACTERS = /\p{Cc}+/gu

/** The text without account numbers and national ids; dates stay. */
export function redactAccountNumbers(text: string): string {
  // Not every JSON parser reads half a character: a bank may have escaped one, or the cut left it.
  const start = text.slice(0, LENGTH_MAX).toWellFormed().replace(CONTROL_CHARACTERS, ' ').replace(IBAN, REDACTED)
  return NATIONAL_IDS_WITH_LETTERS.reduce((redacted, pattern) => redacted.replace(pattern, REDACTED), start)
    .replace(DATE_OR_LONG_NUMBER, (_match, date: string | undefined) => date ?? REDACTED)
    .trim()
}
