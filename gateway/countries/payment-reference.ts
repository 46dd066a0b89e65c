/** What a structured payment reference is, what its receiver may have agreed on, and what a check answers. */

/** A reference as a payment carries it; FIK is Danish and comes as its printed line or in its parts. */
export type Reference = { readonly type: 'ocr'; readonly value: string } | FikReference

/** Either the printed line or the parts; who sends both must mean the same by them. A line may have a message beside it. */
export type FikReference = { readonly type: 'fik'; readonly value?: string } & Partial<FikParts>

/** A Danish payment form in its parts. */
export type FikParts = {
  readonly cardType: string
  readonly paymentId?: string
  readonly creditorNumber: string
  readonly message?: string
}

/** What the receiver agreed on with its bank, where we know it. Without one, everything that can be a reference is. */
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

/** The check that a reference passed; `None` where its kind has no check digit, or a soft level waived it. */
export type CheckMethod = 'Modulus10' | 'Modulus10LengthDigit' | 'Modulus11' | 'Modulus97' | 'Weights731' | 'None'

/** The reference in the form that banks take, or why it is none. Reasons and warnings complete "The reference …". */
export type CheckedReference =
  | {
      readonly ok: true
      readonly reference: string
      readonly checkMethod: CheckMethod
      readonly warning?: string
    }
  | { readonly ok: false; readonly reason: string }

/** The refusal of a kind of reference that the country does not use. */
export function notUsedIn(country: string, used: string): CheckedReference {
  return { ok: false, reason: `is of a kind that is not used in ${country}; ${used}` }
}
