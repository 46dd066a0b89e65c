/** Redacts account numbers and national ids from a bank's text before it is logged or passed on. */
import { allCountryRules } from '../../countries/served-countries.ts'

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
  const start = text.slice(0, LENGTH_MAX).replace(CONTROL_CHARACTERS, ' ').replace(IBAN, REDACTED)
  return NATIONAL_IDS_WITH_LETTERS.reduce((redacted, pattern) => redacted.replace(pattern, REDACTED), start)
    .replace(DATE_OR_LONG_NUMBER, (_match, date: string | undefined) => date ?? REDACTED)
    .trim()
}
