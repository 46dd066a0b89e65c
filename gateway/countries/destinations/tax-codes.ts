/** Validates tax codes of receivers: their format and check digits. */

import { withoutSeparators, withPlainSeparators } from '../../platform/copied-text.ts'
import { type CheckResult, invalid, valid } from '../country.ts'
import { passesModulus10 } from '../number-checks.ts'
import { checkNames } from './local-account.ts'

/** The format of a country's tax codes. */
export type TaxCode = { readonly name: string; readonly pattern: string; readonly check: TaxCodeCheck }

/** Points before groups of three, and the slash of a CNPJ: `890.903.938-8`, `11.222.333/0001-81`. */
const WITH_POINTS = /^([0-9A-Z]{1,3}([.][0-9A-Z]{3})+|[0-9A-Z]{8})([/][0-9A-Z]{4})?(-[0-9A-Z]{1,2})?$/i

/** Weights of the last characters before the check digit. */
const BRAZILIAN_PERSON = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
const BRAZILIAN_COMPANY = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
const ARGENTINE = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]
const CHILEAN = [3, 2, 7, 6, 5, 4, 3, 2]
const COLOMBIAN = [41, 37, 29, 23, 19, 17, 13, 7, 3]
const URUGUAYAN_COMPANY = [4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
const URUGUAYAN_PERSON = [2, 9, 8, 7, 6, 3, 4]
const DOMINICAN = [7, 9, 8, 6, 5, 4, 3, 2]
const KAZAKH = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
const KAZAKH_SECOND = [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2]
const THAI = [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]

/**
 * Whether the check digits are right, by country; each gets a number of the right format, without separators, in capital
 * letters. Strings of eleven are the check digits by remainder, with a hyphen for a remainder that no number has.
 */
const passesByCheck = {
  /** CPF of individuals, CNPJ of companies; since 2026 a CNPJ may contain letters (Receita Federal, IN 2.229/2024). */
  BR: (code) => {
    const weights = code.length === 11 ? BRAZILIAN_PERSON : BRAZILIAN_COMPANY
    const start = code.slice(0, -2)
    const first = brazilianDigit(start, weights)
    return code === start + first + brazilianDigit(start + first, weights)
  },
  /** CUIT and CUIL: the check value 10 counts as 9. */
  AR: (code) => '09987654321'[remainder(code, ARGENTINE)] === code.at(-1),
  CL: (code) => '0K987654321'[remainder(code, CHILEAN)] === code.at(-1),
  /** NITs of companies begin with 8 or 9 and have ten digits; numbers of identity cards have no check digit. */
  CO: (code) => !/^[89][0-9]{9}$/.test(code) || '01987654321'[remainder(code, COLOMBIAN)] === code.at(-1),
  /** RUCs have eleven digits; identity cards have no check digit. */
  PE: (code) =>
    code.length < 11 || (/^(10|15|16|17|20)/.test(code) && '10987654321'[remainder(code, ARGENTINE)] === code.at(-1)),
  UY: (code) =>
    code.length === 12 ? '0-987654321'[remainder(code, URUGUAYAN_COMPANY)] === code.at(-1) : passesUruguayanCard(code),
  CR: () => true,
  /** Some issued numbers fail the check (DGII). */
  DO: (code) =>
    code.length === 11 ? passesModulus10(code) : '21987654321'[remainder(code, DOMINICAN)] === code.at(-1),
  KZ: (code) => {
    const first = remainder(code, KAZAKH)
    return String(first < 10 ? first : remainder(code, KAZAKH_SECOND)) === code.at(-1)
  },
  MX: () => true,
  TH: (code) => '10987654321'[remainder(code, THAI)] === code.at(-1),
} as const satisfies Readonly<Record<string, (code: string) => boolean>>

export type TaxCodeCheck = keyof typeof passesByCheck

export const TAX_CODE_CHECKS = checkNames(passesByCheck)

/** Valid numbers may fail it. */
const ADVISORY: TaxCodeCheck = 'DO'

/** The number without separators, or why it is invalid. */
export function checkTaxCode(text: string, { name, pattern, check }: TaxCode): CheckResult<'taxCode'> {
  const hasPoints = WITH_POINTS.test(withPlainSeparators(text))
  const taxCode = withoutSeparators(hasPoints ? text.replace(/[./]/g, '') : text).toUpperCase()
  if (!new RegExp(pattern).test(taxCode)) {
    return invalid(`is not a tax code of that country: ${name}`)
  }
  if (passesByCheck[check](taxCode)) {
    return valid({ taxCode })
  }
  return check === ADVISORY
    ? valid({ taxCode }, 'may be wrong: its check digit fails the usual rule')
    : invalid(`is not a tax code of that country: its check digits are wrong (${name})`)
}

/** The remainder by 11 of the weighted characters before the last; letters count by their ASCII offset from `0`. */
function remainder(code: string, weights: readonly number[]): number {
  const counted = code.slice(0, -1)
  const weightsUsed = weights.slice(-counted.length)
  const sum = [...counted].reduce(
    (total, character, index) => total + (character.charCodeAt(0) - 48) * (weightsUsed[index] ?? 0),
    0,
  )
  return sum % 11
}

function brazilianDigit(start: string, weights: readonly number[]): string {
  return '00987654321'[remainder(`${start}?`, weights)] ?? ''
}

/** Cards of seven digits are padded with a zero. */
function passesUruguayanCard(code: string): boolean {
  const digits = [...code.padStart(8, '0')].map(Number)
  const sum = URUGUAYAN_PERSON.reduce((total, weight, index) => total + weight * (digits[index] ?? 0), 0)
  return (10 - (sum % 10)) % 10 === digits[7]
}
