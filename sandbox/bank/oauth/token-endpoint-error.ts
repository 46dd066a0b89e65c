/** How the token endpoint says no (RFC 6749, 5.2). */

export type TokenError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'

/** Thrown where it is decided; becomes `{error, error_description}`. */
export class TokenRefusal extends Error {
  readonly status: 400 | 401
  readonly error: TokenError

  constructor(error: TokenError, text: string) {
    super(text)
    this.name = 'TokenRefusal'
    this.status = error === 'invalid_client' ? 401 : 400
    this.error = error
  }
}
