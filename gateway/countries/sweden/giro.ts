/** Validates Bankgiro and Plusgiro numbers, which replace account numbers in payments to Swedish companies. */
import { passesModulus10 } from '../check-digits.ts'
import { type CheckResult, invalid } from '../country.ts'

export type GiroKind = 'bankgiro' | 'plusgiro'

const BANKGIRO = /^([0-9]{3,4})-?([0-9]{4})$/
const PLUSGIRO = /^([0-9]{1,7})-?([0-9])$/

/** The type of a normalised number: `5402-9681` is Bankgiro, `902003-3` Plusgiro; undefined for accounts. */
export function giroKind(bban: string): GiroKind | undefined {
  if (/^[0-9]{3,4}-[0-9]{4}$/.test(bban)) {
    return 'bankgiro'
  }
  return /^[0-9]{1,7}-[0-9]$/.test(bban) ? 'plusgiro' : undefined
}

/** Validates a Bankgiro number without spaces; the normalised form has its hyphen. */
export function checkBankgiro(written: string): CheckResult<'bban'> {
  const [, start, end] = BANKGIRO.exec(written) ?? []
  return start === undefined || end === undefined
    ? invalid('is not a Bankgiro number: 7 or 8 digits, written 123-4567 or 1234-5678')
    : validateDigits(start, end, 'Bankgiro')
}

/** Validates a Plusgiro number without spaces; the normalised form has its hyphen. */
export function checkPlusgiro(written: string): CheckResult<'bban'> {
  const [, start, end] = PLUSGIRO.exec(written) ?? []
  return start === undefined || end === undefined
    ? invalid('is not a Plusgiro number: 2 to 8 digits, written 1234567-8')
    : validateDigits(start, end, 'Plusgiro')
}

function validateDigits(start: string, end: string, name: string): CheckResult<'bban'> {
  return passesModulus10(start + end) && !/^0+$/.test(start + end)
    ? { ok: true, bban: `${start}-${end}` }
    : invalid(`is not a ${name} number: its check digit is wrong (modulus 10)`)
}
