/** Defines structured payment references, and the result of their validation. */

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

/** The check that the reference passed; `None` if its type has no check digit. */
export type CheckMethod = 'Modulus10' | 'Modulus11' | 'Modulus97' | 'Weights731' | 'None'

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
