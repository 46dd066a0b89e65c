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

const ALGORITHMS: readonly SigningAlgorithm[] = ['EdDSA', 'ES256', 'RS256']
const RSA_BITS = 2048

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
  const bytes = Buffer.from(text)
  switch (algorithm) {
    case 'EdDSA':
      return sign(null, bytes, privateKey).toString('base64url')
    case 'ES256':
      return sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')
    case 'RS256':
      return sign('sha256', bytes, privateKey).toString('base64url')
  }
}

function makeKey(algorithm: SigningAlgorithm): SigningKey {
  const { privateKey, publicKey } = pairFor(algorithm)
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return { kid: createHash('sha256').update(der).digest('base64url').slice(0, 12), algorithm, privateKey, publicKey }
}

function pairFor(algorithm: SigningAlgorithm): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  switch (algorithm) {
    case 'EdDSA':
      return generateKeyPairSync('ed25519')
    case 'ES256':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' })
    case 'RS256':
      return generateKeyPairSync('rsa', { modulusLength: RSA_BITS })
  }
}

function jwkOf({ kid, algorithm, publicKey }: SigningKey): object {
  return { ...publicKey.export({ format: 'jwk' }), kid, alg: algorithm, use: 'sig' }
}
