/** An authorisation request of a third party, and the redirects that answer it. */
import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { RequestTable } from './oauth-tables.ts'

export type GrantRequest = Selectable<RequestTable>

/** Lifetime of a code; its exchange takes a redirect and one call. */
export const CODE_SECONDS = 60
/** Time limit of a login. */
export const LOGIN_MINUTES = 10

/** Errors in a redirect (RFC 6749, 4.1.2.1). */
export type RedirectError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied'
  | 'temporarily_unavailable'

/** The redirect to the third party, with its `state`. */
export function redirectWithAnswer(
  { redirect_uri: uri, state }: Pick<GrantRequest, 'redirect_uri' | 'state'>,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries({ ...answer, ...(state === null ? {} : { state }) })) {
    url.searchParams.set(name, value)
  }
  return url.href
}

/** The same for an error. */
export function redirectWithError(
  request: Pick<GrantRequest, 'redirect_uri' | 'state'>,
  error: RedirectError,
  text: string,
): string {
  return redirectWithAnswer(request, { error, error_description: text })
}

/** Whether a code verifier matches the request's challenge (RFC 7636, S256). */
export function matchesChallenge({ code_challenge: challenge }: GrantRequest, verifier: string): boolean {
  return createHash('sha256').update(verifier).digest('base64url') === challenge
}
