/** Defines the errors of the token endpoint (RFC 6749, 5.2). */

export type TokenError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'

/** Rendered as `{error, error_description}`. */
export class TokenEndpointError extends Error {
  readonly status: 400 | 401
  readonly error: TokenError

  constructor(error: TokenError, text: string) {
    super(text)
    this.name = 'TokenEndpointError'
    this.status = error === 'invalid_client' ? 401 : 400
    this.error = error
  }
}
