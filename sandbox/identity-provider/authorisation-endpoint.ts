/** The authorisation endpoint (OpenID Connect Core 1.0, 3.1.2): validates requests and redirects the browser. */
import type { Eid } from './eids.ts'
import type { AuthorisationRequest } from './grants.ts'
import type { ProviderState } from './provider-state.ts'

type Query = Readonly<Record<string, unknown>>

/** A stored request, a redirect with an error, or an error page for the user. */
export type AuthorisationResult =
  | { readonly stored: string }
  | { readonly redirect: string }
  | { readonly validationError: string }

/** The registered redirect URIs of the client: the return paths of a gateway, on any host. */
const RETURN_PATH = /\/(identity|console\/sign-in)\/return$/

/** Validates a request; the browser is never redirected to an address that is not the client's. */
export function startIdentification(state: ProviderState, eid: Eid, query: Query): AuthorisationResult {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : undefined)
  const redirectUri = text('redirect_uri')
  if (text('client_id') !== state.client.id) {
    return { validationError: 'The provider does not know the application that redirected you here.' }
  }
  if (redirectUri === undefined || !isRegistered(redirectUri)) {
    return { validationError: 'The application that redirected you here sent a redirect URI that is not registered.' }
  }
  const [asksState, nonce, challenge] = [text('state'), text('nonce'), text('code_challenge')]
  const isSound =
    text('response_type') === 'code' &&
    (text('scope') ?? '').split(' ').includes('openid') &&
    text('code_challenge_method') === 'S256'
  if (!isSound || asksState === undefined || nonce === undefined || challenge === undefined) {
    const back = { redirectUri, state: asksState ?? '', eid }
    return { redirect: returnUrl(state, back, { error: 'invalid_request' }) }
  }
  const request = { eid, redirectUri, state: asksState, nonce, challenge, text: text('signing_text') ?? null }
  return { stored: state.grants.ask(request) }
}

/** The redirect of the browser, with code or error; every response names the issuer (RFC 9207). */
export function returnUrl(
  { url }: Pick<ProviderState, 'url'>,
  { redirectUri, state, eid }: Pick<AuthorisationRequest, 'redirectUri' | 'state' | 'eid'>,
  brings: Readonly<Record<string, string>>,
): string {
  const address = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...brings, state, iss: `${url}/${eid.path}` })) {
    address.searchParams.set(name, value)
  }
  return address.href
}

function isRegistered(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && RETURN_PATH.test(url.pathname) && url.search === '' && url.hash === ''
}
