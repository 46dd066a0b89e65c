/** Renders why a caller is not authenticated: the challenges of RFC 6750 and RFC 7617. */
import type { UnauthenticatedResponse } from '../../../../contract/errors/error-bodies.ts'
import type { ApiError } from './api-error.ts'
import { docsUrlOf, type ErrorContext } from './error-details.ts'

/** The protected resource in challenges (RFC 9110, 11.5). */
const REALM = 'Havn'

/** An error in the terms of both RFCs. */
type OAuthFields = Pick<Required<UnauthenticatedResponse>, 'error_description' | 'error_uri'> & {
  readonly error: string
}

/** RFC 6750, 3: the challenge for a request without a token contains no error. */
export function bearerChallengeOf(context: ErrorContext, error: ApiError): string {
  return challenge('Bearer', errorFieldsOfToken(context, error))
}

/** The challenge of the token endpoint; a parameter that RFC 7617 does not know is ignored by its clients. */
export function basicChallengeOf(fields: OAuthFields): string {
  return challenge('Basic', fields)
}

/** The fields of the body for a token that was rejected. */
export function errorFieldsOfToken(
  context: ErrorContext,
  { message, extras }: ApiError,
): OAuthFields | Record<string, never> {
  const { tokenRejection } = extras
  return tokenRejection === undefined
    ? {}
    : { error: 'invalid_token', error_description: quotable(message), error_uri: docsUrlOf(context, tokenRejection) }
}

/** Descriptions in both RFCs are printable ASCII without quotes and backslashes. */
export function quotable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]|["\\]/g, "'")
}

function challenge(scheme: 'Bearer' | 'Basic', fields: OAuthFields | Record<string, never>): string {
  const parameters = Object.entries({ realm: REALM, ...fields }).map(([name, text]) => `${name}="${text}"`)
  return `${scheme} ${parameters.join(', ')}`
}
