/** Defines structured payment references, the creditor's agreements on them, and the result of their validation. */

/** The reference of a payment; a Danish FIK comes as its printed line or in parts. */
export type Reference = { readonly type: 'ocr'; readonly value: string } | FikReference

/** The printed line or the parts; if both are given, they must match. `message` may accompany either. */
export type FikReference = { readonly type: 'fik'; readonly value?: string } & Partial<FikParts>

/** The parts of a Danish payment form. */
export type FikParts = {
  readonly cardType: string
  readonly paymentId?: string
  readonly creditorNumber: string
  readonly message?: string
}

/** The creditor's agreement with its bank, if known. Without one, every valid reference is accepted. */
export type ReferenceAgreement = KidAgreement | OcrAgreement

/** Norway: up to three kinds of KID per account, each with its lengths and one modulus. */
export type KidAgreement = {
  readonly country: 'NO'
  readonly kids: readonly { readonly lengths: readonly number[]; readonly modulus: 10 | 11 }[]
}

/** Sweden: the control level of a Bankgiro number. */
export type OcrAgreement =
  | { readonly country: 'SE'; readonly level: 'soft' | 'hard' | 'length-digit' }
  | { readonly country: 'SE'; readonly level: 'fixed-lengths'; readonly lengths: readonly number[] }

/** The check that the reference passed; `None` if its type has no check digit, or the soft level waives it. */
export type CheckMethod = 'Modulus10' | 'Modulus10LengthDigit' | 'Modulus11' | 'Modulus97' | 'Weights731' | 'None'

/** The normalised reference, or why it is invalid. Reasons and warnings complete "The reference …". */
export type CheckedReference =
  | {
      readonly ok: true
      readonly reference: string
      readonly checkMethod: CheckMethod
      readonly warning?: string
    }
  | { readonly ok: false; readonly reason: string }

/** The error for a type of reference that the country does not use. */
export function referenceTypeNotUsed(country: string, used: string): CheckedReference {
  return { ok: false, reason: `is of a type that is not used in ${country}; ${used}` }
}
