/** How long the texts of a domestic payment may be by country; a bank's own constraints go before it. */

export type FieldLengths = {
  readonly name: number
  /** Payments to a giro number carry shorter names. */
  readonly nameAtGiro: number
  readonly endToEndId: number
  readonly message: number
  readonly debtorReference: number
  /** KID, OCR, the payment id of a FIK, RF. */
  readonly reference: number
}

/** ISO 20022 and the Berlin Group's domestic payments; older file formats of single banks are shorter. */
export const fieldLengths = {
  NO: { name: 70, nameAtGiro: 70, endToEndId: 35, message: 140, debtorReference: 20, reference: 25 },
  SE: { name: 70, nameAtGiro: 35, endToEndId: 35, message: 140, debtorReference: 20, reference: 25 },
  DK: { name: 70, nameAtGiro: 70, endToEndId: 35, message: 140, debtorReference: 20, reference: 16 },
  FI: { name: 70, nameAtGiro: 70, endToEndId: 35, message: 140, debtorReference: 35, reference: 25 },
} as const satisfies Readonly<Record<string, FieldLengths>>
