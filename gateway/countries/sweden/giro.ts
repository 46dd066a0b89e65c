/** Bankgiro and Plusgiro numbers, by which Swedish companies are paid without an account number. */
import { passesModulus10 } from '../check-digits.ts'
import type { Checked } from '../country.ts'

export type GiroKind = 'bankgiro' | 'plusgiro'

const BANKGIRO = /^([0-9]{3,4})-?([0-9]{4})$/
const PLUSGIRO = /^([0-9]{1,7})-?([0-9])$/

/** Which giro a number in its kept form is of: `5402-9681` is Bankgiro, `902003-3` Plusgiro, others are accounts. */
export function giroKind(bban: string): GiroKind | undefined {
  if (/^[0-9]{3,4}-[0-9]{4}$/.test(bban)) {
    return 'bankgiro'
  }
  return /^[0-9]{1,7}-[0-9]$/.test(bban) ? 'plusgiro' : undefined
}

/** Checks a Bankgiro number without spaces; it is kept with its hyphen. */
export function checkBankgiro(written: string): Checked<'bban'> {
  const [, start, end] = BANKGIRO.exec(written) ?? []
  return start === undefined || end === undefined
    ? no('is not a Bankgiro number: 7 or 8 digits, written 123-4567 or 1234-5678')
    : judged(start, end, 'Bankgiro')
}

/** Checks a Plusgiro number without spaces; it is kept with its hyphen. */
export function checkPlusgiro(written: string): Checked<'bban'> {
  const [, start, end] = PLUSGIRO.exec(written) ?? []
  return start === undefined || end === undefined
    ? no('is not a Plusgiro number: 2 to 8 digits, written 1234567-8')
    : judged(start, end, 'Plusgiro')
}

function judged(start: string, end: string, name: string): Checked<'bban'> {
  return passesModulus10(start + end) && !/^0+$/.test(start + end)
    ? { ok: true, bban: `${start}-${end}` }
    : no(`is not a ${name} number: its check digit is wrong (modulus 10)`)
}

function no(reason: string): Checked<'bban'> {
  return { ok: false, reason }
}
