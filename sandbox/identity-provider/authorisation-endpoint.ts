/** The authorisation endpoint (OpenID Connect Core 1.0, 3.1.2): what a browser asks for, and how it is sent back. */
import type { Eid } from './eids.ts'
import type { AuthorisationRequest } from './grants.ts'
import type { ProviderState } from './provider-state.ts'

type Query = Readonly<Record<string, unknown>>

/** A request that is kept, an address to send the browser back to, or a fault to tell the person. */
export type Asked = { readonly kept: string } | { readonly redirect: string } | { readonly problem: string }

/** What is registered for the client: the one return address of a gateway, wherever that runs. */
const RETURN_PATH = /\/identity\/return$/

/** Judges a request; nobody is sent to an address that is not the client's. */
export function askForIdentification(state: ProviderState, eid: Eid, query: Query): Asked {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : undefined)
  const redirectUri = text('redirect_uri')
  if (text('client_id') !== state.client.id) {
    return { problem: 'The provider does not know the program that sent you here.' }
  }
  if (redirectUri === undefined || !isRegistered(redirectUri)) {
    return { problem: 'The program that sent you here gave an address to return to which is not registered.' }
  }
  const [asksState, nonce, challenge] = [text('state'), text('nonce'), text('code_challenge')]
  const isSound =
    text('response_type') === 'code' &&
    (text('scope') ?? '').split(' ').includes('openid') &&
    text('code_challenge_method') === 'S256'
  if (!isSound || asksState === undefined || nonce === undefined || challenge === undefined) {
    const back = { redirectUri, state: asksState ?? '', eid }
    return { redirect: returnAddress(state, back, { error: 'invalid_request' }) }
  }
  const request = { eid, redirectUri, state: asksState, nonce, challenge, text: text('signing_text') ?? null }
  return { kept: state.grants.ask(request) }
}

/** Where the browser goes back to, with what it brings; every return names the issuer (RFC 9207). */
export function returnAddress(
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
