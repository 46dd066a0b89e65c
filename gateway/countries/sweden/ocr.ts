/** The OCR reference of Sweden: 2–25 digits ending in a modulus 10 check digit, at four levels of control. */
import { passesModulus10 } from '../check-digits.ts'
import {
  type CheckedReference,
  notUsedIn,
  type OcrAgreement,
  type Reference,
  type ReferenceAgreement,
} from '../payment-reference.ts'
import { withoutSpaces } from '../separators.ts'

/**
 * Checks an OCR reference by the receiver's level of control; where it is unknown, by the check digit. A level judges the
 * reference as it is to travel; without one it comes from an invoice, and the spaces that are printed there are dropped.
 */
export function checkSwedishReference(reference: Reference, agreement?: ReferenceAgreement): CheckedReference {
  if (reference.type !== 'ocr') {
    return notUsedIn('Sweden', 'an OCR reference is of type ocr')
  }
  return agreement?.country === 'SE'
    ? checkOcr(reference.value, agreement)
    : checkOcr(withoutSpaces(reference.value), { country: 'SE', level: 'hard' })
}

function checkOcr(ocr: string, agreement: OcrAgreement): CheckedReference {
  if (!/^[0-9]{2,25}$/.test(ocr)) {
    return no('is not an OCR reference: 2–25 digits')
  }
  if (/^0+$/.test(ocr)) {
    return no('is not an OCR reference: it has only zeros')
  }
  if (!passesModulus10(ocr)) {
    const reason = 'has a wrong check digit (modulus 10)'
    return agreement.level === 'soft'
      ? { ok: true, reference: ocr, checkMethod: 'None', warning: `${reason}; the receiver takes it nevertheless` }
      : no(reason)
  }
  switch (agreement.level) {
    case 'length-digit':
      return Number(ocr.at(-2)) === ocr.length % 10
        ? { ok: true, reference: ocr, checkMethod: 'Modulus10LengthDigit' }
        : no(`has a wrong length digit: the last but one must be ${ocr.length % 10} in ${ocr.length} digits`)
    case 'fixed-lengths':
      return agreement.lengths.includes(ocr.length)
        ? { ok: true, reference: ocr, checkMethod: 'Modulus10' }
        : no(`has ${ocr.length} digits; the receiver agreed on ${agreement.lengths.join(' or ')}`)
    default:
      return { ok: true, reference: ocr, checkMethod: 'Modulus10' }
  }
}

function no(reason: string): CheckedReference {
  return { ok: false, reason }
}
