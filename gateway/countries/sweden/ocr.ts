/** Validates Swedish OCR references: 2–25 digits with a modulus 10 check digit. */

import { withoutSpaces } from '../../platform/copied-text.ts'
import { passesModulus10 } from '../check-digits.ts'
import { invalid } from '../country.ts'
import { type CheckedReference, type Reference, referenceTypeNotUsed } from '../payment-reference.ts'

/** The reference without the spaces that invoices print. A creditor's agreement on lengths is known to its bank only. */
export function checkSwedishReference(reference: Reference): CheckedReference {
  if (reference.type !== 'ocr') {
    return referenceTypeNotUsed('Sweden', 'an OCR reference is of type ocr')
  }
  const ocr = withoutSpaces(reference.value)
  if (!/^[0-9]{2,25}$/.test(ocr)) {
    return invalid('is not an OCR reference: 2–25 digits')
  }
  if (/^0+$/.test(ocr)) {
    return invalid('is not an OCR reference: it has only zeros')
  }
  return passesModulus10(ocr)
    ? { ok: true, reference: ocr, checkMethod: 'Modulus10' }
    : invalid('has a wrong check digit (modulus 10)')
}
