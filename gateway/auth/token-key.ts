/** Makes and opens the keys that sign access tokens: Ed25519, the private half sealed at rest. */
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Context } from '../context.ts'
import { disableTokenKey, insertTokenKey, type KeptTokenKey, listTokenKeys } from './token-key-store.ts'

/** The algorithm of our tokens (RFC 8037). */
export const TOKEN_ALGORITHM = 'EdDSA'

type Sealing = Pick<Context, 'database' | 'seal' | 'clock'>

/** A key pair as tokens need it. */
export type TokenKey = { readonly kid: string; readonly publicJwk: JWK; readonly privateKey: CryptoKey }

/** A new key pair; its id, the thumbprint of RFC 7638, never begins as an option of a command line does. */
export async function newTokenKey(): Promise<TokenKey> {
  const { publicKey, privateKey } = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true })
  const publicPart = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(publicPart)
  if (kid.startsWith('-')) {
    return await newTokenKey()
  }
  return { kid, publicJwk: { ...publicPart, kid, use: 'sig', alg: TOKEN_ALGORITHM }, privateKey }
}

/** Makes a key that signs from now on; the one before it is retired. */
export async function rotateTokenKey({ database, seal, clock }: Sealing): Promise<string> {
  const { kid, publicJwk, privateKey } = await newTokenKey()
  const privateJwkSealed = seal.seal(JSON.stringify(await exportJWK(privateKey)), tokenKeyPurpose(kid))
  await insertTokenKey(database, { kid, publicJwk, privateJwkSealed, createdAt: clock.real() })
  return kid
}

/** Has all tokens of a key refused; if it is the one that signs, another takes its place first. Throws when there is none. */
export async function withdrawTokenKey(sealing: Sealing, kid: string): Promise<void> {
  const keys = await listTokenKeys(sealing.database)
  const key = keys.find((kept) => kept.kid === kid)
  if (key === undefined) {
    throw new Error(`There is no token key ${kid} in use`)
  }
  if (key.retiredAt === null) {
    await rotateTokenKey(sealing)
  }
  await disableTokenKey(sealing.database, kid, sealing.clock.real())
}

/** The key that signs now; the first start of a new database makes it. */
export async function ensureTokenKey(sealing: Sealing): Promise<void> {
  const keys = await listTokenKeys(sealing.database)
  if (!keys.some(({ retiredAt }) => retiredAt === null)) {
    await rotateTokenKey(sealing)
  }
}

/** Opens a kept key for signing. */
export async function openTokenKey({ seal }: Pick<Context, 'seal'>, kept: KeptTokenKey): Promise<TokenKey> {
  const privateJwk: JWK = JSON.parse(seal.open(kept.privateJwkSealed, tokenKeyPurpose(kept.kid)))
  const privateKey = await importJWK(privateJwk, TOKEN_ALGORITHM)
  if (privateKey instanceof Uint8Array) {
    throw new Error(`The token key ${kept.kid} is not an asymmetric key`)
  }
  return { kid: kept.kid, publicJwk: kept.publicJwk, privateKey }
}

/** What the sealed half of a key is bound to. */
export function tokenKeyPurpose(kid: string): string {
  return `token key ${kid}`
}
