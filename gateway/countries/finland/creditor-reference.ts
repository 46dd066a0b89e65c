/** The references of Finland: the national viitenumero, and the RF reference of ISO 11649. */
import { passesModulus97 } from '../check-digits.ts'
import { type CheckedReference, notUsedIn, type Reference } from '../payment-reference.ts'
import { withoutSpaces } from '../separators.ts'

/** Repeated from the right. */
const WEIGHTS = [7, 3, 1]
/** Leading zeros do not count, but a reference is never written with fewer digits. */
const VIITENUMERO_DIGITS_MIN = 4

/** Checks either reference, with or without the spaces it is printed with. */
export function checkFinnishReference(reference: Reference): CheckedReference {
  if (reference.type !== 'ocr') {
    return notUsedIn('Finland', 'a viitenumero or RF reference is of type ocr')
  }
  const written = withoutSpaces(reference.value).toUpperCase()
  return written.startsWith('RF') ? checkRf(written) : checkViitenumero(written)
}

function checkRf(reference: string): CheckedReference {
  if (!/^RF[0-9]{2}[A-Z0-9]{1,21}$/.test(reference)) {
    return no('is not an RF reference: RF, two check digits and 1–21 letters or digits')
  }
  if (/^RF..0+$/.test(reference)) {
    return no('is not an RF reference: it has only zeros')
  }
  return passesModulus97(reference)
    ? { ok: true, reference, checkMethod: 'Modulus97' }
    : no('is not an RF reference: its check digits are wrong (modulus 97)')
}

function checkViitenumero(written: string): CheckedReference {
  if (!/^[0-9]{4,20}$/.test(written)) {
    return no('is not a viitenumero: 4–20 digits')
  }
  const digits = written.replace(/^0+/, '')
  if (digits === '' || !passesWeights(digits)) {
    return no('is not a viitenumero: its check digit is wrong (weights 7, 3, 1)')
  }
  return { ok: true, reference: digits.padStart(VIITENUMERO_DIGITS_MIN, '0'), checkMethod: 'Weights731' }
}

/** The check digit fills the weighted sum up to the next ten. */
function passesWeights(digits: string): boolean {
  const sum = [...digits.slice(0, -1)]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (WEIGHTS[index % WEIGHTS.length] ?? 0), 0)
  return (sum + Number(digits.at(-1))) % 10 === 0
}

function no(reason: string): CheckedReference {
  return { ok: false, reason }
}
