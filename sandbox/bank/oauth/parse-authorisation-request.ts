/** Parses and validates the authorisation request of a third party. */
import type { BankProfile } from '../fixture.ts'
import { type RedirectError, redirectWithError } from './oauth-store.ts'
import { parseScope, type Scope } from './scope.ts'

export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>

/** The client and its redirect URI; without these the browser cannot be redirected. */
export type GrantClient = { readonly clientId: string; readonly redirectUri: string; readonly state: string | null }

export type RequestedGrant = { readonly scope: Scope; readonly challenge: string; readonly loginHint: string | null }

const CLIENT_ID_MAX = 100
const ADDRESS_MAX = 2_000
const STATE_MAX = 1_000
const LOGIN_HINT_MAX = 50
/** SHA-256 in base64url (RFC 7636, 4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** Parses the client, or returns a message for the user when no redirect is possible. */
export function parseGrantClient(query: RawQuery): GrantClient | { readonly validationError: string } {
  const [clientId, redirectUri, state] = ['client_id', 'redirect_uri', 'state'].map((name) => one(query, name))
  if (clientId === undefined || clientId === '' || clientId.length > CLIENT_ID_MAX) {
    return { validationError: 'The app did not send its id (client_id).' }
  }
  if (redirectUri === undefined || !isRedirectUri(redirectUri)) {
    return { validationError: 'The app did not say where to go afterwards (redirect_uri).' }
  }
  if (Array.isArray(query['state']) || (state ?? '').length > STATE_MAX) {
    return { validationError: 'The app sent a parameter that is too long (state).' }
  }
  return { clientId, redirectUri, state: state ?? null }
}

/** Parses the requested grant, or returns the redirect with the error. */
export function parseRequestedGrant(
  bank: BankProfile,
  query: RawQuery,
  asker: GrantClient,
): RequestedGrant | { readonly redirect: string } {
  const no = (error: RedirectError, text: string) => ({
    redirect: redirectWithError({ redirect_uri: asker.redirectUri, state: asker.state }, error, text),
  })
  if (one(query, 'response_type') !== 'code') {
    return no('unsupported_response_type', 'response_type must be code')
  }
  const challenge = one(query, 'code_challenge') ?? ''
  if (!CHALLENGE.test(challenge) || one(query, 'code_challenge_method') !== 'S256') {
    return no('invalid_request', 'code_challenge is required, with code_challenge_method S256')
  }
  const scope = parseScope(bank, one(query, 'scope') ?? '')
  if (scope === undefined) {
    return no(
      'invalid_scope',
      bank.oauth === 'integrated' ? 'scope must be PIS:<id> or AIS:<id>' : 'scope must be AIS PIS',
    )
  }
  const hint = one(query, 'login_hint') ?? ''
  return { scope, challenge, loginHint: hint === '' || hint.length > LOGIN_HINT_MAX ? null : hint }
}

/** A parameter that is present exactly once. */
function one(query: RawQuery, name: string): string | undefined {
  const value = query[name]
  return typeof value === 'string' ? value : undefined
}

function isRedirectUri(text: string): boolean {
  const url = text.length > ADDRESS_MAX ? null : URL.parse(text)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return url !== null && isWeb && !text.includes('#') && url.username === '' && url.password === ''
}
