/** Lists the errors of the token endpoint as RFC 6749 names them, and the error of RFC 6750. */
import type { DocumentedError } from './failures.ts'

export const OAUTH_ERRORS = {
  invalid_request: {
    statuses: [400, 413, 415],
    meaning: 'The token request is malformed.',
    cause: 'A parameter is missing or repeated, or the body is JSON instead of a form.',
    action: 'Send grant_type, scope, client_id and client_secret as application/x-www-form-urlencoded.',
  },
  invalid_client: {
    statuses: [401],
    meaning: 'The client could not be authenticated.',
    cause: 'The secret is wrong or was rotated, the client is of another environment, or it is disabled.',
    action:
      'Compare client id and secret with what you were given, without spaces or line breaks; or rotate the secret.',
  },
  unsupported_grant_type: {
    statuses: [400],
    meaning: 'The grant type is not supported.',
    cause: 'grant_type is password or authorization_code, or is misspelled.',
    action: 'Send grant_type=client_credentials.',
  },
  invalid_scope: {
    statuses: [400],
    meaning: 'The scope is not that of this environment.',
    cause: 'The scope of the other environment was sent, or only a part of it.',
    action: 'Send the scope that the message names, /.default included.',
  },
  temporarily_unavailable: {
    statuses: [429, 503],
    meaning: 'The token endpoint cannot answer now, or was called too often (429).',
    cause: 'A token is requested for every call instead of being shared until it expires.',
    action: 'Wait for the seconds in Retry-After, and reuse each token until shortly before it expires.',
    isTemporary: true,
  },
  server_error: {
    statuses: [500],
    meaning: 'Something went wrong here.',
    cause: 'A fault of this service.',
    action: 'Repeat the request; if it fails again, quote svcRequestId to support.',
    isTemporary: true,
  },
  invalid_token: {
    statuses: [401],
    meaning: 'The access token is not valid; the code of the error says why.',
    cause: 'The token has expired, was revoked, or is of another environment.',
    action: 'Read the code beside it, for example TokenExpired.',
  },
} as const satisfies { readonly [code in string]: DocumentedError & { readonly statuses: readonly number[] } }

/** The errors of RFC 6749, 5.2; the last two are from its section 4.1.2.1, for errors of the server. */
export type TokenErrorCode = Exclude<keyof typeof OAUTH_ERRORS, 'invalid_token'>

export const TOKEN_ERROR_CODES = Object.keys(OAUTH_ERRORS).filter(
  (code) => code !== 'invalid_token',
) as readonly TokenErrorCode[]
