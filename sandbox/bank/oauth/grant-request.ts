/** What a third party asks of the authorisation server by way of a browser, and how it is answered. */
import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { RequestTable } from './oauth-tables.ts'

export type GrantRequest = Selectable<RequestTable>

/** How long a code is good for; exchanging it takes a browser's redirect and one call. */
export const CODE_SECONDS = 60
/** How long somebody may take to log in. */
export const LOGIN_MINUTES = 10

/** Errors that a browser carries back (RFC 6749, 4.1.2.1). */
export type CarriedError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied'
  | 'temporarily_unavailable'

/** Where the browser goes with the answer: to the third party's address, with what it gave to recognise it by. */
export function carriedAnswer(
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
export function carriedError(
  request: Pick<GrantRequest, 'redirect_uri' | 'state'>,
  error: CarriedError,
  text: string,
): string {
  return carriedAnswer(request, { error, error_description: text })
}

/** Whether a verifier is the one that a request was begun with (RFC 7636, S256). */
export function matchesChallenge({ code_challenge: challenge }: GrantRequest, verifier: string): boolean {
  return createHash('sha256').update(verifier).digest('base64url') === challenge
}
