/** Validates structured payment references by the rules of the creditor's country. */
import type { CheckedReference, FikParts, FikReference, Reference } from './payment-reference.ts'
import { countryRules } from './served-countries.ts'

/**
 * The normalised reference, or why it is invalid. A plain text is an OCR reference: KID in Norway, OCR in Sweden,
 * viitenumero or RF in Finland.
 */
export function checkReference(countryCode: string, reference: Reference | string): CheckedReference {
  const rules = countryRules(countryCode)
  if (rules === undefined) {
    return { ok: false, reason: `is of a country whose references are not supported (${countryCode})` }
  }
  return rules.checkReference(typeof reference === 'string' ? { type: 'ocr', value: reference } : reference)
}

/** The parts of a payment form; undefined if it is invalid, or if the country has no payment forms. */
export function parsePaymentForm(countryCode: string, reference: FikReference): FikParts | undefined {
  return countryRules(countryCode)?.parsePaymentForm(reference)
}
