/** Computes digests of guessable texts under one random key, which stays the same when master keys are rotated. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { sharedResult } from '../concurrency.ts'
import type { Database } from '../database/database.ts'
import type { Seal } from './envelope-encryption.ts'

/**
 * The digest of a text: equal for equal texts and purposes, on every host, and without our keys the text cannot be
 * guessed from it. Random secrets need no key.
 */
export type KeyedDigest = (text: string, purpose: string) => Promise<string>

/** The purpose to which the sealed key is bound. */
export const DIGEST_KEY_PURPOSE = 'digest key'

const KEY_BYTES = 32
/** A database has one key. */
const NAME = 'content'

type KeyedDigestTools = { readonly database: Database<unknown>; readonly seal: Seal; readonly clock: Clock }

/** Reads the key at first use, and creates it on a new database. */
export function openKeyedDigest(tools: KeyedDigestTools): KeyedDigest {
  const readKey = sharedResult(() => findOrCreateKey(tools))
  return async (text, purpose) =>
    createHmac('sha256', await readKey())
      .update(`${purpose}\n${text}`)
      .digest('base64url')
}

/** Processes that create it at once use the one that was stored first. */
async function findOrCreateKey({ database: { pool }, seal, clock }: KeyedDigestTools): Promise<Buffer> {
  const find = async () => {
    const { rows } = await pool.query<{ sealed: Buffer }>(
      'select key_sealed as sealed from digest_keys where name = $1',
      [NAME],
    )
    return rows[0]?.sealed
  }
  let sealed = await find()
  if (sealed === undefined) {
    const created = seal.seal(randomBytes(KEY_BYTES).toString('base64'), DIGEST_KEY_PURPOSE)
    await pool.query(
      'insert into digest_keys (name, key_sealed, created_at) values ($1, $2, $3) on conflict (name) do nothing',
      [NAME, created, clock.real().toString()],
    )
    sealed = (await find()) ?? created
  }
  return Buffer.from(seal.open(sealed, DIGEST_KEY_PURPOSE), 'base64')
}
