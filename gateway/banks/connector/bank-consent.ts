/** Types of a consent at a bank: the request and its state. */

/** The return URL is not part of it: the bank receives it with the authorisation. */
export type BankConsentRequest = { readonly requestId: string; readonly validUntil: Temporal.PlainDate }

/** `pending`: not yet authorised. `revoked-by-user`: by the user at the bank. `revoked`: by the bank, or superseded. */
export type BankConsentState = {
  readonly state: 'pending' | 'valid' | 'rejected' | 'revoked' | 'revoked-by-user' | 'expired'
  /** Null where the bank does not report it. */
  readonly validUntil: Temporal.PlainDate | null
  /** The bank's own status text. */
  readonly bankStatus: string
}
