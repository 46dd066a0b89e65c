/** What a consent at a bank is: what is asked for, and how it stands. */

/** Where the user comes back to is told when the authorisation begins, not here. */
export type ConsentTerms = { readonly requestId: string; readonly validUntil: Temporal.PlainDate }

/** `pending` waits for the user; `revoked-by-user` was ended at the bank, `revoked` by the bank, or for a newer one. */
export type BankConsentState = {
  readonly state: 'pending' | 'valid' | 'rejected' | 'revoked' | 'revoked-by-user' | 'expired'
  /** Null where the bank does not say. */
  readonly validUntil: Temporal.PlainDate | null
  /** The bank's own word. */
  readonly bankStatus: string
}
