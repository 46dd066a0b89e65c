/** The words in which identity providers, and the way to them, say no. */

/** Why nobody was identified, or could be. */
export type IdentityRefusalKind =
  /** It was not reached, or does not answer at this moment. */
  | 'unavailable'
  /** Its description, its answer or our settings are at fault: for operators to mend. */
  | 'misconfigured'
  /** What it gave does not prove who the person is: the signature, the receiver, the time or the nonce is wrong. */
  | 'not-proven'

/** Thrown by whatever speaks to identity providers; `message` holds nothing of a person, a code or a token. */
export class IdentityRefusal extends Error {
  readonly kind: IdentityRefusalKind

  constructor(kind: IdentityRefusalKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'IdentityRefusal'
    this.kind = kind
  }
}
