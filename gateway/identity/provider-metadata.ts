/** Reads how a provider describes itself (OpenID Connect Discovery 1.0), and believes it only within the provider's own hosts. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { IdentityProviderSettings } from '../config/identity-provider-settings.ts'
import { isLoopback } from '../platform/http/loopback.ts'
import { callProvider, requireAnswered } from './call-identity-provider.ts'
import { IdentityRefusal } from './identity-refusal.ts'

const Address = Type.String({ minLength: 1, maxLength: 2000 })
const Names = Type.Optional(Type.Array(Type.String()))
const Metadata = Type.Object({
  issuer: Address,
  authorization_endpoint: Address,
  token_endpoint: Address,
  jwks_uri: Address,
  response_types_supported: Names,
  code_challenge_methods_supported: Names,
  authorization_response_iss_parameter_supported: Type.Optional(Type.Boolean()),
})
const metadataShape = Compile(Metadata)

/** What of the description is used. */
export type ProviderMetadata = Pick<
  Static<typeof Metadata>,
  'issuer' | 'authorization_endpoint' | 'token_endpoint' | 'jwks_uri'
> & {
  /** Whether every return names the issuer (RFC 9207). */
  readonly namesIssuer: boolean
}

const WELL_KNOWN = '/.well-known/openid-configuration'

/** Asks for the description. Throws `misconfigured` when any part of it is not what it must be. */
export async function readMetadata(provider: IdentityProviderSettings): Promise<ProviderMetadata> {
  const answer = await callProvider(`${provider.issuer.replace(/\/$/, '')}${WELL_KNOWN}`, { method: 'GET' })
  requireAnswered('The description of an identity provider', answer)
  const found = answer.body
  if (!metadataShape.Check(found)) {
    throw fault(provider, 'is not of the shape of OpenID Connect Discovery')
  }
  if (found.issuer !== provider.issuer) {
    throw fault(provider, 'names another issuer')
  }
  if (found.response_types_supported?.includes('code') === false) {
    throw fault(provider, 'offers no code flow')
  }
  if (found.code_challenge_methods_supported?.includes('S256') === false) {
    throw fault(provider, 'does not offer PKCE by S256')
  }
  return {
    issuer: found.issuer,
    authorization_endpoint: addressOf(provider, found.authorization_endpoint),
    token_endpoint: addressOf(provider, found.token_endpoint),
    jwks_uri: addressOf(provider, found.jwks_uri),
    namesIssuer: found.authorization_response_iss_parameter_supported ?? false,
  }
}

/** The hosts of a provider: browsers are sent to these only, and these only are asked. */
export function hostsOf({ issuer, hosts = [] }: IdentityProviderSettings): readonly string[] {
  return [new URL(issuer).host, ...hosts]
}

function addressOf(provider: IdentityProviderSettings, href: string): string {
  const url = URL.parse(href)
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (
    url === null ||
    !isSecure ||
    url.username !== '' ||
    url.password !== '' ||
    !hostsOf(provider).includes(url.host)
  ) {
    throw fault(provider, `leads to ${url?.host ?? 'no address'}, which is not among its hosts`)
  }
  return url.href
}

function fault({ id }: IdentityProviderSettings, what: string): IdentityRefusal {
  return new IdentityRefusal('misconfigured', `The description of the identity provider ${id} ${what}`)
}
