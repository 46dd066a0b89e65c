/** Validates Swedish OCR references: 2–25 digits with a modulus 10 check digit, at four levels of control. */
import { passesModulus10 } from '../check-digits.ts'
import {
  type CheckedReference,
  type OcrAgreement,
  type Reference,
  type ReferenceAgreement,
  referenceTypeNotUsed,
} from '../payment-reference.ts'
import { withoutSpaces } from '../separators.ts'

/**
 * Validates by the creditor's level of control; if it is unknown, by the check digit. With a level, the reference must
 * be exact; without one it may come from an invoice, and printed spaces are removed.
 */
export function checkSwedishReference(reference: Reference, agreement?: ReferenceAgreement): CheckedReference {
  if (reference.type !== 'ocr') {
    return referenceTypeNotUsed('Sweden', 'an OCR reference is of type ocr')
  }
  return agreement?.country === 'SE'
    ? checkOcr(reference.value, agreement)
    : checkOcr(withoutSpaces(reference.value), { country: 'SE', level: 'hard' })
}

function checkOcr(ocr: string, agreement: OcrAgreement): CheckedReference {
  if (!/^[0-9]{2,25}$/.test(ocr)) {
    return invalid('is not an OCR reference: 2–25 digits')
  }
  if (/^0+$/.test(ocr)) {
    return invalid('is not an OCR reference: it has only zeros')
  }
  if (!passesModulus10(ocr)) {
    const reason = 'has a wrong check digit (modulus 10)'
    return agreement.level === 'soft'
      ? { ok: true, reference: ocr, checkMethod: 'None', warning: `${reason}; the receiver accepts it nevertheless` }
      : invalid(reason)
  }
  switch (agreement.level) {
    case 'length-digit':
      return Number(ocr.at(-2)) === ocr.length % 10
        ? { ok: true, reference: ocr, checkMethod: 'Modulus10LengthDigit' }
        : invalid(`has a wrong length digit: the second last digit must be ${ocr.length % 10} in ${ocr.length} digits`)
    case 'fixed-lengths':
      return agreement.lengths.includes(ocr.length)
        ? { ok: true, reference: ocr, checkMethod: 'Modulus10' }
        : invalid(`has ${ocr.length} digits; the receiver agreed on ${agreement.lengths.join(' or ')}`)
    default:
      return { ok: true, reference: ocr, checkMethod: 'Modulus10' }
  }
}

function invalid(reason: string): CheckedReference {
  return { ok: false, reason }
}
