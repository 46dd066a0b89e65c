/** Creates, opens and revokes the keys that sign access tokens: Ed25519, with the private half sealed at rest. */
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Context } from '../context.ts'
import type { Seal } from '../platform/crypto/envelope-encryption.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { disableTokenKey, insertTokenKey, listTokenKeys, type StoredTokenKey } from './token-key-store.ts'

/** The algorithm of our tokens (RFC 8037). */
export const TOKEN_ALGORITHM = 'EdDSA'
/** The claim with the number of the client's secret that the token was issued for: the token ends with it. */
export const SECRET_CLAIM = 'secret_number'
/** In the header of our access tokens (RFC 9068): no other JWT of our key is one. */
export const ACCESS_TOKEN_TYPE = 'at+jwt'

export type TokenKey = { readonly kid: string; readonly publicJwk: JWK; readonly privateKey: CryptoKey }

/** A new key pair. Its id, the thumbprint of RFC 7638, never starts with a hyphen, as it is a command-line argument. */
export async function newTokenKey(): Promise<TokenKey> {
  const { publicKey, privateKey } = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true })
  const publicPart = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(publicPart)
  if (kid.startsWith('-')) {
    return await newTokenKey()
  }
  return { kid, publicJwk: { ...publicPart, kid, use: 'sig', alg: TOKEN_ALGORITHM }, privateKey }
}

/** Creates the new signing key; the previous one is retired. */
export async function rotateTokenKey({ database, clock }: ProgramContext, seal: Seal): Promise<string> {
  const { kid, publicJwk, privateKey } = await newTokenKey()
  const privateJwkSealed = seal.seal(JSON.stringify(await exportJWK(privateKey)), tokenKeyPurpose(kid))
  await insertTokenKey(database, { kid, publicJwk, privateJwkSealed, createdAt: clock.real() })
  return kid
}

/**
 * Invalidates all tokens of a key; if it is the signing key, it is rotated first. Throws when no enabled key has this
 * id.
 */
export async function revokeTokenKey(context: ProgramContext, seal: Seal, kid: string): Promise<void> {
  const keys = await listTokenKeys(context.database)
  const key = keys.find((stored) => stored.kid === kid)
  if (key === undefined) {
    throw new Error(`No enabled token key has the id ${kid}`)
  }
  if (key.retiredAt === null) {
    await rotateTokenKey(context, seal)
  }
  await disableTokenKey(context.database, kid, context.clock.real())
}

/** Creates the signing key at the first start on a new database. */
export async function ensureTokenKey(context: Context): Promise<void> {
  const keys = await listTokenKeys(context.database)
  if (!keys.some(({ retiredAt }) => retiredAt === null)) {
    await rotateTokenKey(context, context.seal)
  }
}

/**
 * Throws when the master key does not open what the database has sealed, such as after a restore with another key. A new
 * database has nothing to compare.
 */
export async function requireMasterKeyOfDatabase({ database, seal }: Context): Promise<void> {
  const [stored] = await listTokenKeys(database)
  try {
    stored && seal.open(stored.privateJwkSealed, tokenKeyPurpose(stored.kid))
  } catch (cause) {
    const message =
      'The master key is not the one of this database: what it has sealed cannot be opened. Set HAVN_MASTER_KEY_FILE to ' +
      'the key file that belongs to it; docs/operating/backups.md says what is lost without it'
    throw new Error(message, { cause })
  }
}

/** Opens a stored key for signing. */
export async function openTokenKey({ seal }: Context, stored: StoredTokenKey): Promise<TokenKey> {
  const privateJwk: JWK = JSON.parse(seal.open(stored.privateJwkSealed, tokenKeyPurpose(stored.kid)))
  const privateKey = await importJWK(privateJwk, TOKEN_ALGORITHM)
  if (privateKey instanceof Uint8Array) {
    throw new Error(`The token key ${stored.kid} is not an asymmetric key`)
  }
  return { kid: stored.kid, publicJwk: stored.publicJwk, privateKey }
}

/** The purpose that a sealed private key is bound to. */
export function tokenKeyPurpose(kid: string): string {
  return `token key ${kid}`
}
