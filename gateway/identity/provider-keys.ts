/** Keeps what a provider publishes of itself, its description and its keys, and asks again when that has become old. */
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet } from 'jose'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { IdentityProviderSettings } from '../config/identity-provider-settings.ts'
import type { Clock } from '../platform/clock.ts'
import { callProvider, requireAnswered } from './call-identity-provider.ts'
import { IdentityRefusal } from './identity-refusal.ts'
import { type ProviderMetadata, readMetadata } from './provider-metadata.ts'

const keySet = Compile(
  Type.Object({
    keys: Type.Array(Type.Object({ kty: Type.String(), kid: Type.Optional(Type.String()) }), { maxItems: 100 }),
  }),
)

/** A provider that changes its keys announces them for longer than this. */
const KEPT_MILLISECONDS = 60 * 60 * 1000
/** Whoever sends tokens with made-up key ids makes a provider be asked so often and no more. */
const ASK_AGAIN_AFTER_MILLISECONDS = 5_000

type Kept<Value> = { readonly value: Value; readonly askedAt: Temporal.Instant }

/** What one provider publishes. */
export type Publications = {
  metadata(): Promise<ProviderMetadata>
  /** The keys with which a token may be signed; asked for anew when the token names one that is not there. */
  keysFor(token: string): Promise<ReturnType<typeof createLocalJWKSet>>
}

/** Nothing is asked before it is needed. A failed asking is not kept. */
export function openPublications(provider: IdentityProviderSettings, { real }: Pick<Clock, 'real'>): Publications {
  let metadata: Kept<ProviderMetadata> | undefined
  let keys: Kept<JSONWebKeySet> | undefined
  const readKeys = async (uri: string) => {
    keys = { askedAt: real(), value: await askForKeys(uri) }
    return keys
  }
  const publications: Publications = {
    metadata: async () => {
      if (metadata === undefined || ageOf(metadata, real()) > KEPT_MILLISECONDS) {
        metadata = { askedAt: real(), value: await readMetadata(provider) }
      }
      return metadata.value
    },
    keysFor: async (token) => {
      const { jwks_uri: uri } = await publications.metadata()
      const kept = keys === undefined || ageOf(keys, real()) > KEPT_MILLISECONDS ? await readKeys(uri) : keys
      const isThere = hasKey(kept.value, token)
      const { value } = isThere || ageOf(kept, real()) < ASK_AGAIN_AFTER_MILLISECONDS ? kept : await readKeys(uri)
      return createLocalJWKSet(value)
    },
  }
  return publications
}

/** Without a sign: a clock that was set back must not keep old keys in use. */
function ageOf({ askedAt }: Kept<unknown>, now: Temporal.Instant): number {
  return Math.abs(now.epochMilliseconds - askedAt.epochMilliseconds)
}

function hasKey({ keys }: JSONWebKeySet, token: string): boolean {
  try {
    const { kid } = decodeProtectedHeader(token)
    return kid === undefined || keys.some((key) => key.kid === kid)
  } catch {
    return true
  }
}

async function askForKeys(uri: string): Promise<JSONWebKeySet> {
  const answer = await callProvider(uri, { method: 'GET' })
  requireAnswered('The keys of an identity provider', answer)
  const found = answer.body
  if (!keySet.Check(found)) {
    throw new IdentityRefusal('misconfigured', 'The keys of an identity provider are no JSON Web Key Set')
  }
  return found
}
