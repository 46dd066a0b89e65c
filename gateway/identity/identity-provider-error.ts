/** Defines the error of identity providers and their kinds. */

/** Why a person was not, or could not be, identified. */
export type IdentityProviderErrorKind =
  /** The provider cannot be reached, or reports a temporary error. */
  | 'unavailable'
  /** Its metadata, its response or our settings are wrong: the operator must fix it. */
  | 'misconfigured'
  /** Its response does not prove who the person is: signature, audience, time or nonce is wrong. */
  | 'not-proven'

/** Thrown by calls to identity providers; `message` contains no personal data, code or token. */
export class IdentityProviderError extends Error {
  readonly kind: IdentityProviderErrorKind

  constructor(kind: IdentityProviderErrorKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'IdentityProviderError'
    this.kind = kind
  }
}
