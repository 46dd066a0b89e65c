/** Stores whether a browser is trusted: it returned itself, or its user confirmed the session in another one. */
import type { Transaction } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { updateUndecidedScaSession } from './sca-session-end-store.ts'
import type { ScaSessionKey, ScaSessionTables } from './sca-session-tables.ts'

/** Trusts the browser by its return from a step, unless a later step has started; earlier trust is not changed. */
export async function trustReturnedBrowser(
  database: Database<unknown>,
  key: ScaSessionKey,
  { position, at }: { readonly position: number; readonly at: Temporal.Instant },
): Promise<void> {
  await updateUndecidedScaSession(database, key, async (transaction) => {
    if (await isLastStartedStep(transaction, key, position)) {
      await updateUntrusted(transaction, key).set({ trusted_by: 'return', trusted_at: at.toString() }).execute()
    }
  })
}

/** The confirmation of the browser that returned. */
export type UserConfirmation = {
  readonly confirmHash: string
  /**
   * Whether more is to be signed: then the session moves to this browser, and the other one gets no further redirect.
   */
  readonly hasFurtherSteps: boolean
  readonly at: Temporal.Instant
}

/** Trusts the session by the confirmation of the browser that returned. */
export async function trustConfirmedBrowser(
  database: Database<unknown>,
  key: ScaSessionKey,
  { confirmHash, hasFurtherSteps, at }: UserConfirmation,
): Promise<void> {
  await updateUndecidedScaSession(database, key, async (transaction) => {
    await updateUntrusted(transaction, key)
      .set({
        trusted_by: 'confirmation',
        trusted_at: at.toString(),
        ...(hasFurtherSteps ? { browser_hash: confirmHash } : {}),
      })
      .where('confirm_hash', '=', confirmHash)
      .execute()
  })
}

/** Records the browser that returned from a step in place of the one that left; the latest one may confirm. */
export async function recordConfirmingBrowser(
  database: Database<unknown>,
  key: ScaSessionKey,
  { position, confirmHash }: { readonly position: number; readonly confirmHash: string },
): Promise<void> {
  await updateUndecidedScaSession(database, key, async (transaction) => {
    if (await isLastStartedStep(transaction, key, position)) {
      await updateUntrusted(transaction, key).set({ confirm_hash: confirmHash }).execute()
    }
  })
}

function updateUntrusted(transaction: Transaction<ScaSessionTables>, key: ScaSessionKey) {
  return transaction
    .updateTable('sca_sessions')
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('trusted_at', 'is', null)
}

/** The row of the session is locked, so that no step starts meanwhile. */
async function isLastStartedStep(
  transaction: Transaction<ScaSessionTables>,
  key: ScaSessionKey,
  position: number,
): Promise<boolean> {
  const later = await transaction
    .selectFrom('sca_steps')
    .select('position')
    .where('partner_id', '=', key.partnerId)
    .where('sca_session_id', '=', key.id)
    .where('position', '>', position)
    .where('state', '<>', 'pending')
    .executeTakeFirst()
  return later === undefined
}
