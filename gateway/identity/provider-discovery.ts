/** Discovers a provider (OpenID Connect Discovery 1.0), and accepts only URLs on the provider's own hosts. */
import {
  allowInsecureRequests,
  Configuration,
  clockSkew,
  customFetch,
  discovery,
  type ExportedJWKSCache,
  enableNonRepudiationChecks,
  getJwksCache,
  None,
  type ServerMetadata,
  setJwksCache,
} from 'openid-client'
import type { OpenIdClientSettings } from '../config/identity-provider-settings.ts'
import { type Clock, wallMilliseconds } from '../platform/clock.ts'
import { isLoopback } from '../platform/http/ip-address.ts'
import { callIdentityProvider } from './call-identity-provider.ts'
import { authenticateClient } from './client-authentication.ts'
import { IdentityProviderError, readClientError } from './identity-provider.ts'

/** Providers announce a change for longer than this. */
const METADATA_TTL_MILLISECONDS = 60 * 60 * 1000
/** Limits the requests for keys; a token is verified with current ones. */
const KEYS_TTL_MILLISECONDS = 5_000
/** Asymmetric algorithms only: a token signed with a secret that we hold, too, would be no evidence. */
const ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256', 'RS256', 'PS256']

export type ProviderDiscovery = {
  /** For one identification: with our credentials, the time and keys that were read recently. Throws `misconfigured`. */
  configuration(): Promise<Configuration>
  /** Caches the keys that it has read. */
  storeKeys(configuration: Configuration): void
}

/** Reads lazily. Failures are not cached. */
export function openProviderDiscovery(
  provider: OpenIdClientSettings,
  { real }: Pick<Clock, 'real'>,
): ProviderDiscovery {
  let cached: { readonly metadata: ServerMetadata; readonly at: number } | undefined
  let keys: ExportedJWKSCache | undefined
  // Absolute: a clock that was set back must not keep old metadata or keys in use.
  const ageOf = (milliseconds: number) => Math.abs(real().epochMilliseconds - milliseconds)
  return {
    configuration: async () => {
      if (cached === undefined || ageOf(cached.at) > METADATA_TTL_MILLISECONDS) {
        cached = { metadata: await fetchProviderMetadata(provider), at: real().epochMilliseconds }
      }
      const skew = Math.round((real().epochMilliseconds - wallMilliseconds()) / 1000)
      const authentication = await authenticateClient(provider, cached.metadata)
      const configuration = new Configuration(cached.metadata, provider.clientId, { [clockSkew]: skew }, authentication)
      configuration[customFetch] = callIdentityProvider
      // URLs were validated with the metadata: http is allowed for loopback only.
      allowInsecureRequests(configuration)
      enableNonRepudiationChecks(configuration)
      if (keys !== undefined && ageOf(keys.uat * 1000) < KEYS_TTL_MILLISECONDS) {
        setJwksCache(configuration, keys)
      }
      return configuration
    },
    storeKeys: (configuration) => {
      keys = getJwksCache(configuration) ?? keys
    },
  }
}

async function fetchProviderMetadata(provider: OpenIdClientSettings): Promise<ServerMetadata> {
  const metadata = await discover(provider)
  if (metadata.issuer !== provider.issuer) {
    throw metadataError(provider, 'name another issuer')
  }
  if (lacks(metadata.response_types_supported, 'code')) {
    throw metadataError(provider, 'do not offer the code flow')
  }
  if (lacks(metadata.code_challenge_methods_supported, 'S256')) {
    throw metadataError(provider, 'do not offer PKCE with S256')
  }
  return {
    issuer: metadata.issuer,
    authorization_endpoint: validateEndpoint(provider, metadata.authorization_endpoint),
    token_endpoint: validateEndpoint(provider, metadata.token_endpoint),
    jwks_uri: validateEndpoint(provider, metadata.jwks_uri),
    id_token_signing_alg_values_supported: ALGORITHMS,
    // Whether every callback contains the issuer (RFC 9207).
    authorization_response_iss_parameter_supported: metadata.authorization_response_iss_parameter_supported === true,
  }
}

async function discover(provider: OpenIdClientSettings): Promise<ServerMetadata> {
  try {
    const found = await discovery(new URL(provider.issuer), provider.clientId, undefined, None(), {
      execute: [allowInsecureRequests],
      [customFetch]: callIdentityProvider,
    })
    return found.serverMetadata()
  } catch (error) {
    const own = readClientError(error)
    throw own instanceof IdentityProviderError ? own : metadataError(provider, `cannot be read (${own})`)
  }
}

/** The library has checked no field but the issuer. A list that is left out is no answer. */
function lacks(supported: unknown, value: string): boolean {
  return supported !== undefined && !(Array.isArray(supported) && supported.includes(value))
}

/** The hosts of a provider, written as in parsed URLs: the only ones that are called and that browsers are redirected to. */
export function allowedHostsOf({ issuer, hosts = [] }: OpenIdClientSettings): readonly string[] {
  return [new URL(issuer).host, ...hosts.map((host) => URL.parse(`https://${host}`)?.host ?? host)]
}

function validateEndpoint(provider: OpenIdClientSettings, href: unknown): string {
  const url = typeof href === 'string' ? URL.parse(href) : null
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

function metadataError({ id }: OpenIdClientSettings, what: string): IdentityProviderError {
  return new IdentityProviderError('misconfigured', `The metadata of the identity provider ${id} ${what}`)
}
