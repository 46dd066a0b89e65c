/** The separators of account numbers and IBANs, once copied texts have plain ones. */
import { withPlainSeparators } from '../platform/copied-text.ts'
import { ibanCheckDigits } from './check-digits.ts'
import { type AccountBank, type CheckResult, type IbanRules, valid } from './country.ts'

/**
 * Digits in groups, as banks print long numbers: `1234567` or `1 234 567`. A space before other digits, such as the
 * decimals of a spreadsheet, is none.
 */
export const DIGIT_GROUPS = '(?:[0-9]+|[0-9]{1,4}(?: [0-9]{2,4})+)'

/**
 * An IBAN without its separators; undefined if it is not written as one. Countries print the part after the check digits
 * in groups of their own; length and modulus 97 fix which characters it has.
 */
export function ibanWithoutSeparators(text: string): string | undefined {
  const written = withPlainSeparators(text)
  return /^[A-Z]{2}[0-9]{2}([ -]?[A-Z0-9])+$/i.test(written) ? written.replace(/[ -]/g, '').toUpperCase() : undefined
}

/** Why a number has none of its printed forms: other characters, or separators in other places than its examples. */
export function separatorFault(text: string, examples: string): string {
  return /^[0-9 .,/·-]+$/.test(withPlainSeparators(text))
    ? `has separators in other places than it is written with: ${examples}`
    : 'contains characters other than digits'
}

/** In groups of four, as every bank prints it (ISO 13616): `FI21 1234 5600 0007 85`. */
export function formatIban(iban: string): string {
  return iban.replaceAll(/.{4}(?=.)/g, '$& ')
}

const BEFORE_BBAN = 4

/** Used by Norway, Denmark and Finland. */
export function ibanRulesFromBban(
  countryCode: string,
  checkAccountNumber: (text: string) => CheckResult<'bban'>,
  bankOf: (bban: string) => AccountBank | undefined,
): IbanRules {
  return {
    ibanOf: (bban) => `${countryCode}${ibanCheckDigits(countryCode, bban)}${bban}`,
    bbanOf: (iban) => checkAccountNumber(iban.slice(BEFORE_BBAN)),
    checkIban(iban) {
      const checked = checkAccountNumber(iban.slice(BEFORE_BBAN))
      return checked.ok ? valid({ iban }, checked.warning) : checked
    },
    bankOfIban: (iban) => bankOf(iban.slice(BEFORE_BBAN)),
    endsInAccountNumber: true,
  }
}
