/** Checks numbers: their separators as banks print them, check digits, and the conversion to IBANs that end in them. */
import { withPlainSeparators } from '../platform/copied-text.ts'
import { type AccountBank, type CheckResult, type IbanRules, valid } from './country.ts'

/** Whether the last digit is the Luhn check digit of those before it. */
export function passesModulus10(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/**
 * The modulus 11 check value of digits: 0–9, or 10, for which no digit exists. The weights apply to the last digits,
 * and repeat from the right when there are more digits than weights.
 */
export function modulus11(digits: string, weights: readonly number[]): number {
  const fromRight = weights.toReversed()
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (fromRight[index % fromRight.length] ?? 0), 0)
  return (11 - (sum % 11)) % 11
}

/** The weighted sum of digits; the weights repeat from the left when there are more digits. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return [...digits].reduce((sum, digit, index) => sum + Number(digit) * (weights[index % weights.length] ?? 0), 0)
}

/** Whether the last digit is the check digit of those before it by ISO 7064, modulus 11,10. */
export function passesModulus11_10(digits: string): boolean {
  const product = [...digits.slice(0, -1)].reduce((before, digit) => {
    const sum = (before + Number(digit)) % 10
    return ((sum === 0 ? 10 : sum) * 2) % 11
  }, 10)
  return (product + Number(digits.at(-1))) % 10 === 1
}

/** The two check digits of an IBAN (ISO 13616): 98 less the remainder by 97 of the BBAN, country and 00. */
export function ibanCheckDigits(countryCode: string, bban: string): string {
  return String(98n - (asNumber(`${bban}${countryCode}00`) % 97n)).padStart(2, '0')
}

/** The Luhn check digit to append to these digits. */
export function modulus10(digits: string): number {
  return [...'0123456789'].findIndex((check) => passesModulus10(digits + check))
}

/**
 * Whether an IBAN or RF reference without spaces passes modulus 97. Its check digits are 98 less a remainder, so 00, 01
 * and 99 are never valid, though they leave the same remainder as 97, 98 and 02.
 */
export function passesModulus97(text: string): boolean {
  return /^..(?!00|01|99)/.test(text) && asNumber(text.slice(4) + text.slice(0, 4)) % 97n === 1n
}

/** Letters count as 10 to 35. */
function asNumber(text: string): bigint {
  return BigInt(text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)))
}

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
