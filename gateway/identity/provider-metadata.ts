/** Reads a provider's metadata (OpenID Connect Discovery 1.0), and accepts only URLs on the provider's own hosts. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { IdentityProviderSettings } from '../config/identity-provider-settings.ts'
import { isLoopback } from '../platform/http/loopback.ts'
import { callIdentityProvider, requireSuccessStatus } from './call-identity-provider.ts'
import { IdentityProviderError } from './identity-provider-error.ts'

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

/** The fields that are used. */
export type ProviderMetadata = Pick<
  Static<typeof Metadata>,
  'issuer' | 'authorization_endpoint' | 'token_endpoint' | 'jwks_uri'
> & {
  /** Whether every callback contains the issuer (RFC 9207). */
  readonly namesIssuer: boolean
}

const WELL_KNOWN = '/.well-known/openid-configuration'

/** Reads the metadata. Throws `misconfigured` when any part of it is invalid. */
export async function fetchProviderMetadata(provider: IdentityProviderSettings): Promise<ProviderMetadata> {
  const response = await callIdentityProvider(`${provider.issuer.replace(/\/$/, '')}${WELL_KNOWN}`, { method: 'GET' })
  requireSuccessStatus('the metadata of an identity provider', response)
  const body = response.body
  if (!metadataShape.Check(body)) {
    throw metadataError(provider, 'do not match the schema of OpenID Connect Discovery')
  }
  if (body.issuer !== provider.issuer) {
    throw metadataError(provider, 'name another issuer')
  }
  if (body.response_types_supported?.includes('code') === false) {
    throw metadataError(provider, 'do not offer the code flow')
  }
  if (body.code_challenge_methods_supported?.includes('S256') === false) {
    throw metadataError(provider, 'do not offer PKCE with S256')
  }
  return {
    issuer: body.issuer,
    authorization_endpoint: validateEndpoint(provider, body.authorization_endpoint),
    token_endpoint: validateEndpoint(provider, body.token_endpoint),
    jwks_uri: validateEndpoint(provider, body.jwks_uri),
    namesIssuer: body.authorization_response_iss_parameter_supported ?? false,
  }
}

/** The hosts of a provider: the only ones that are called and that browsers are redirected to. */
export function allowedHostsOf({ issuer, hosts = [] }: IdentityProviderSettings): readonly string[] {
  return [new URL(issuer).host, ...hosts]
}

function validateEndpoint(provider: IdentityProviderSettings, href: string): string {
  const url = URL.parse(href)
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (
    url === null ||
    !isSecure ||
    url.username !== '' ||
    url.password !== '' ||
    !allowedHostsOf(provider).includes(url.host)
  ) {
    throw metadataError(provider, `contain the host ${url?.host ?? '(none)'}, which is not among its allowed hosts`)
  }
  return url.href
}

function metadataError({ id }: IdentityProviderSettings, what: string): IdentityProviderError {
  return new IdentityProviderError('misconfigured', `The metadata of the identity provider ${id} ${what}`)
}
