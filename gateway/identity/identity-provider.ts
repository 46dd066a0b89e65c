/** Defines the port to identity providers, and their error: a browser is redirected there, and its callback identifies the user. */
import type { Person } from './person.ts'

/** What to identify for, and where the browser returns to. */
export type IdentificationRequest = {
  /** Our URL that handles the callback. */
  readonly back: string
  /** The country of the person's eID, ISO 3166-1. */
  readonly countryCode: string
  /**
   * SHA-256 (base64url) of what is signed, to be covered by the provider's signature; null for a mere identification.
   */
  readonly documentHash: string | null
  /** The text that the provider shows to the signer, if it supports that. */
  readonly text: string | null
  /** The user's language, e.g. `nb`. */
  readonly language: string
}

/** An identification that awaits the browser's callback. */
export type StartedIdentification = {
  /** The provider's URL that the browser is redirected to. */
  readonly url: string
  /** Needed to finish; stored sealed. */
  readonly secret: string
}

export type IdentificationCallback = {
  /** Query parameters; not trusted. */
  readonly query: Readonly<Record<string, string>>
  readonly secret: string
}

/** The result of a callback. */
export type Identification =
  | { readonly outcome: 'identified'; readonly person: Person; readonly idToken: string }
  /** The person declined or left. */
  | { readonly outcome: 'denied' }
  /** It belongs to another identification, or was used before: no effect. */
  | { readonly outcome: 'foreign' }

/** A provider at which persons identify. */
export type IdentityProvider = {
  readonly id: string
  /** Its display name. */
  readonly name: string
  /** Throws `IdentityProviderError`. */
  begin(request: IdentificationRequest): Promise<StartedIdentification>
  /** Throws `IdentityProviderError`; after `unavailable`, the same callback may be tried again. */
  finish(callback: IdentificationCallback): Promise<Identification>
}

/** Why a person was not, or could not be, identified. */
type IdentityProviderErrorKind =
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
