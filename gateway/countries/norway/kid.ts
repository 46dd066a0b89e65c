/** Validates KIDs, Norway's structured references: 2–25 characters with a modulus 10 or 11 check character. */

import { withoutSpaces } from '../../platform/copied-text.ts'
import { modulus11, passesModulus10 } from '../check-digits.ts'
import { invalid, valid } from '../country.ts'
import { type CheckedReference, type Reference, referenceTypeNotUsed } from '../payment-reference.ts'

const WEIGHTS = [7, 6, 5, 4, 3, 2]
/** The check value 10 of modulus 11 is written as a hyphen. */
const HYPHEN_CHECK = 10
/** Sources differ on the minimum length, two or four characters; shorter ones get a warning. */
const USUAL_LENGTH_MIN = 4

/** Either check is accepted: a creditor's agreement is known to its bank only. Spaces, as printed on invoices, are removed. */
export function checkNorwegianReference(reference: Reference): CheckedReference {
  return reference.type === 'ocr' ? checkKid(reference.value) : referenceTypeNotUsed('Norway', 'a KID is of type ocr')
}

/** Which of the two checks a KID passes; the creditor's agreement with its bank decides which one applies. */
export function kidChecks(kid: string): { readonly modulus10: boolean; readonly modulus11: boolean } {
  const check = kid.at(-1)
  const expected = modulus11(kid.slice(0, -1), WEIGHTS)
  return {
    modulus10: check !== '-' && passesModulus10(kid),
    modulus11: check === (expected === HYPHEN_CHECK ? '-' : String(expected)),
  }
}

function checkKid(text: string): CheckedReference {
  const kid = withoutSpaces(text)
  if (!/^[0-9]{1,24}[0-9-]$/.test(kid)) {
    return invalid('is not a KID: 2–25 digits, of which the last may be a hyphen')
  }
  if (/^0+$/.test(kid)) {
    return invalid('is not a KID: it has only zeros')
  }
  const checks = kidChecks(kid)
  if (!checks.modulus10 && !checks.modulus11) {
    return invalid('is not a KID: its check digit fits neither modulus 10 nor modulus 11')
  }
  const checkMethod = checks.modulus10 ? 'Modulus10' : 'Modulus11'
  const warning = `has ${kid.length} characters; many banks require at least four`
  return valid({ reference: kid, checkMethod }, kid.length < USUAL_LENGTH_MIN ? warning : undefined)
}
