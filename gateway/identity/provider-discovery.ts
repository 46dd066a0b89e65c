/** Caches the metadata and keys of a provider. */
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet } from 'jose'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { IdentityProviderSettings } from '../config/identity-provider-settings.ts'
import type { Clock } from '../platform/clock.ts'
import { callIdentityProvider, requireSuccessStatus } from './call-identity-provider.ts'
import { IdentityProviderError } from './identity-provider-error.ts'
import { fetchProviderMetadata, type ProviderMetadata } from './provider-metadata.ts'

const keySet = Compile(
  Type.Object({
    keys: Type.Array(Type.Object({ kty: Type.String(), kid: Type.Optional(Type.String()) }), { maxItems: 100 }),
  }),
)

/** Providers announce a change of keys for longer than this. */
const METADATA_TTL_MILLISECONDS = 60 * 60 * 1000
/** Limits the requests that tokens with made-up key ids can cause. */
const REFETCH_INTERVAL_MIN_MILLISECONDS = 5_000

type Cached<Value> = { readonly value: Value; readonly requestedAt: Temporal.Instant }

/** What one provider publishes. */
export type ProviderDiscovery = {
  metadata(): Promise<ProviderMetadata>
  /** The keys that a token may be signed with; read again when the token names an unknown one. */
  keysFor(token: string): Promise<ReturnType<typeof createLocalJWKSet>>
}

/** Reads lazily. Failures are not cached. */
export function openProviderDiscovery(
  provider: IdentityProviderSettings,
  { real }: Pick<Clock, 'real'>,
): ProviderDiscovery {
  let metadata: Cached<ProviderMetadata> | undefined
  let keys: Cached<JSONWebKeySet> | undefined
  const readKeys = async (uri: string) => {
    keys = { requestedAt: real(), value: await fetchKeys(uri) }
    return keys
  }
  const discovery: ProviderDiscovery = {
    metadata: async () => {
      if (metadata === undefined || ageOf(metadata, real()) > METADATA_TTL_MILLISECONDS) {
        metadata = { requestedAt: real(), value: await fetchProviderMetadata(provider) }
      }
      return metadata.value
    },
    keysFor: async (token) => {
      const { jwks_uri: uri } = await discovery.metadata()
      const stored = keys === undefined || ageOf(keys, real()) > METADATA_TTL_MILLISECONDS ? await readKeys(uri) : keys
      const isThere = hasKey(stored.value, token)
      const { value } =
        isThere || ageOf(stored, real()) < REFETCH_INTERVAL_MIN_MILLISECONDS ? stored : await readKeys(uri)
      return createLocalJWKSet(value)
    },
  }
  return discovery
}

/** Absolute: a clock that was set back must not keep old keys in use. */
function ageOf({ requestedAt }: Cached<unknown>, now: Temporal.Instant): number {
  return Math.abs(now.epochMilliseconds - requestedAt.epochMilliseconds)
}

function hasKey({ keys }: JSONWebKeySet, token: string): boolean {
  try {
    const { kid } = decodeProtectedHeader(token)
    return kid === undefined || keys.some((key) => key.kid === kid)
  } catch {
    return true
  }
}

async function fetchKeys(uri: string): Promise<JSONWebKeySet> {
  const response = await callIdentityProvider(uri, { method: 'GET' })
  requireSuccessStatus('the keys of an identity provider', response)
  const body = response.body
  if (!keySet.Check(body)) {
    throw new IdentityProviderError('misconfigured', 'The keys of an identity provider are not a JSON Web Key Set')
  }
  return body
}
