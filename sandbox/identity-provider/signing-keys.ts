/** The provider's signing keys: created on first use, and replaced on request of a test. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { SigningAlgorithm } from './eids.ts'

/** A key pair; `kid` is derived from its public key. */
export type SigningKey = {
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

export type SigningKeys = {
  current(algorithm: SigningAlgorithm): SigningKey
  /** The public keys, as a JSON Web Key Set (RFC 7517). */
  published(): { readonly keys: readonly object[] }
  /** Replaces the keys; the previous ones are no longer published. */
  rotate(): void
  /** A key that is never published. */
  stranger(algorithm: SigningAlgorithm): SigningKey
}

const RSA_BITS = 2048
const algorithms = {
  EdDSA: { hash: null, makePair: () => generateKeyPairSync('ed25519') },
  ES256: { hash: 'sha256', makePair: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }) },
  RS256: { hash: 'sha256', makePair: () => generateKeyPairSync('rsa', { modulusLength: RSA_BITS }) },
} as const satisfies Readonly<Record<SigningAlgorithm, object>>
const ALGORITHMS: readonly SigningAlgorithm[] = ['EdDSA', 'ES256', 'RS256']

/** A key is created on first use: an RSA key takes time. */
export function openSigningKeys(): SigningKeys {
  const stored = new Map<SigningAlgorithm, SigningKey>()
  const current = (algorithm: SigningAlgorithm) => {
    const key = stored.get(algorithm) ?? makeKey(algorithm)
    stored.set(algorithm, key)
    return key
  }
  return {
    current,
    published: () => ({ keys: ALGORITHMS.map((algorithm) => jwkOf(current(algorithm))) }),
    rotate: () => stored.clear(),
    stranger: makeKey,
  }
}

/** Signs text as in a JSON Web Signature (RFC 7515): base64url of the bare signature. */
export function signText(text: string, { algorithm, privateKey }: SigningKey): string {
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
  return sign(algorithms[algorithm].hash, Buffer.from(text), key).toString('base64url')
}

function makeKey(algorithm: SigningAlgorithm): SigningKey {
  const { privateKey, publicKey } = algorithms[algorithm].makePair()
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return { kid: createHash('sha256').update(der).digest('base64url').slice(0, 12), algorithm, privateKey, publicKey }
}

function jwkOf({ kid, algorithm, publicKey }: SigningKey): object {
  return { ...publicKey.export({ format: 'jwk' }), kid, alg: algorithm, use: 'sig' }
}
