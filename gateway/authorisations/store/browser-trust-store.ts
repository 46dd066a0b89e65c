/** The statements by which a browser's way becomes trusted: it came back itself, or its user gave their word elsewhere. */
import type { Transaction } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { whileUndecided } from './sca-session-end-store.ts'
import type { SigningKey, SigningTables } from './sca-session-tables.ts'

/** Trusts it from now on by its return from a step, unless a later one has begun; what was trusted before stays as it was. */
export async function trustReturned(
  database: Database<unknown>,
  key: SigningKey,
  { position, at }: { readonly position: number; readonly at: Temporal.Instant },
): Promise<void> {
  await whileUndecided(database, key, async (transaction) => {
    if (await isLastBegun(transaction, key, position)) {
      await untrusted(transaction, key).set({ trusted_by: 'return', trusted_at: at.toString() }).execute()
    }
  })
}

/** The word of the browser that was asked for it. */
export type Confirmed = {
  readonly confirmHash: string
  /** Whether more is to be signed: then that is for this browser, whose user it is, and the other one is sent nowhere. */
  readonly goesOn: boolean
  readonly at: Temporal.Instant
}

/** Trusts it by the word of the browser that was asked for it. */
export async function trustConfirmed(
  database: Database<unknown>,
  key: SigningKey,
  { confirmHash, goesOn, at }: Confirmed,
): Promise<void> {
  await whileUndecided(database, key, async (transaction) => {
    await untrusted(transaction, key)
      .set({
        trusted_by: 'confirmation',
        trusted_at: at.toString(),
        ...(goesOn ? { browser_hash: confirmHash } : {}),
      })
      .where('confirm_hash', '=', confirmHash)
      .execute()
  })
}

/** Keeps which browser came back from a step in place of the one that left; the latest may say whose it is. */
export async function markConfirming(
  database: Database<unknown>,
  key: SigningKey,
  { position, confirmHash }: { readonly position: number; readonly confirmHash: string },
): Promise<void> {
  await whileUndecided(database, key, async (transaction) => {
    if (await isLastBegun(transaction, key, position)) {
      await untrusted(transaction, key).set({ confirm_hash: confirmHash }).execute()
    }
  })
}

function untrusted(transaction: Transaction<SigningTables>, key: SigningKey) {
  return transaction
    .updateTable('signings')
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('trusted_at', 'is', null)
}

/** The row of the signing is locked, so that none begins meanwhile. */
async function isLastBegun(
  transaction: Transaction<SigningTables>,
  key: SigningKey,
  position: number,
): Promise<boolean> {
  const later = await transaction
    .selectFrom('signing_steps')
    .select('position')
    .where('partner_id', '=', key.partnerId)
    .where('signing_id', '=', key.id)
    .where('position', '>', position)
    .where('state', '<>', 'pending')
    .executeTakeFirst()
  return later === undefined
}
