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

/**
 * What `openid-client` threw: the error of our own call, or else only a code. Messages and causes may contain a token.
 */
export function readClientError(error: unknown): IdentityProviderError | string {
  const own = error instanceof Error && error.cause instanceof IdentityProviderError ? error.cause : error
  return own instanceof IdentityProviderError
    ? own
    : own instanceof Error && 'code' in own
      ? String(own.code)
      : 'unreadable'
}

/** The error code of a response (RFC 6749, 5.2), if it is safe to log. */
export function safeErrorCode(error: string): string {
  return /^[a-z_]{1,50}$/.test(error) ? error : 'a non-standard code'
}
