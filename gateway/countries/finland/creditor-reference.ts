/** Validates Finnish references: the national viitenumero, and the RF creditor reference (ISO 11649). */

import { withoutSpaces } from '../../platform/copied-text.ts'
import { passesModulus97 } from '../check-digits.ts'
import { type CheckedReference, type Reference, referenceTypeNotUsed } from '../payment-reference.ts'

/** Repeated from the right. */
const WEIGHTS = [7, 3, 1]
/** Leading zeros are insignificant, but the reference has at least four digits. */
const VIITENUMERO_DIGITS_MIN = 4

/** Accepts both, with or without printed spaces. */
export function checkFinnishReference(reference: Reference): CheckedReference {
  if (reference.type !== 'ocr') {
    return referenceTypeNotUsed('Finland', 'a viitenumero or RF reference is of type ocr')
  }
  const written = withoutSpaces(reference.value).toUpperCase()
  return written.startsWith('RF') ? checkRf(written) : checkViitenumero(written)
}

function checkRf(reference: string): CheckedReference {
  if (!/^RF[0-9]{2}[A-Z0-9]{1,21}$/.test(reference)) {
    return invalid('is not an RF reference: RF, two check digits and 1–21 letters or digits')
  }
  if (/^RF..0+$/.test(reference)) {
    return invalid('is not an RF reference: it has only zeros')
  }
  return passesModulus97(reference)
    ? { ok: true, reference, checkMethod: 'Modulus97' }
    : invalid('is not an RF reference: its check digits are wrong (modulus 97)')
}

function checkViitenumero(written: string): CheckedReference {
  if (!/^[0-9]{4,20}$/.test(written)) {
    return invalid('is not a viitenumero: 4–20 digits')
  }
  const digits = written.replace(/^0+/, '')
  if (digits === '' || !passesWeights(digits)) {
    return invalid('is not a viitenumero: its check digit is wrong (weights 7, 3, 1)')
  }
  return { ok: true, reference: digits.padStart(VIITENUMERO_DIGITS_MIN, '0'), checkMethod: 'Weights731' }
}

/** The check digit completes the weighted sum to a multiple of ten. */
function passesWeights(digits: string): boolean {
  const sum = [...digits.slice(0, -1)]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (WEIGHTS[index % WEIGHTS.length] ?? 0), 0)
  return (sum + Number(digits.at(-1))) % 10 === 0
}

function invalid(reason: string): CheckedReference {
  return { ok: false, reason }
}
