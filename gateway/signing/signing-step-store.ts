/** The statements that write what becomes of a signing's steps: left for the bank, begun there, read there. */
import { sql } from 'kysely'
import type { Database } from '../foundation/database/database.ts'
import type { StepState } from './signing.ts'
import { whileUndecided } from './signing-end-store.ts'
import { type SigningKey, signingTables } from './signing-store.ts'

/** Keeps from where a step's browser left. */
export async function markStepLeft(
  database: Database<unknown>,
  key: SigningKey,
  position: number,
  evidence: { readonly ipAddress: string; readonly userAgent: string; readonly at: Temporal.Instant },
): Promise<void> {
  await signingTables(database)
    .updateTable('signing_steps')
    .set({ ip_address: evidence.ipAddress, user_agent: evidence.userAgent, left_at: evidence.at.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('signing_id', '=', key.id)
    .where('position', '=', position)
    .execute()
}

/** Notes that a step's browser is back, and says whether the bank is to be asked: not if it was since `quietSince`. */
export async function markStepReturned(
  database: Database<unknown>,
  key: SigningKey,
  returnHash: string,
  times: { readonly at: Temporal.Instant; readonly quietSince: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await signingTables(database)
    .updateTable('signing_steps')
    .set({ returned_at: times.at.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('signing_id', '=', key.id)
    .where('return_hash', '=', returnHash)
    .where(sql<boolean>`(returned_at is null or returned_at <= ${times.quietSince.toString()})`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** An authorisation that a pending step is opened with, and until when it may be signed. */
export type OpenedStep = {
  readonly authorisationId: string
  readonly redirectSealed: Buffer
  readonly returnHash: string
  readonly startedAt: Temporal.Instant
  readonly expiresAt: Temporal.Instant
}

/** Opens a pending step; nothing happens when another request was quicker, or the signing is decided. */
export async function markStepOpen(
  database: Database<unknown>,
  key: SigningKey,
  position: number,
  opened: OpenedStep,
): Promise<void> {
  await whileUndecided(database, key, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('signing_steps')
      .set({
        state: 'open',
        authorisation_id: opened.authorisationId,
        redirect_sealed: opened.redirectSealed,
        return_hash: opened.returnHash,
        started_at: opened.startedAt.toString(),
      })
      .where('partner_id', '=', key.partnerId)
      .where('signing_id', '=', key.id)
      .where('position', '=', position)
      .where('state', '=', 'pending')
      .executeTakeFirst()
    if (numUpdatedRows === 1n) {
      await transaction
        .updateTable('signings')
        .set({ expires_at: opened.expiresAt.toString() })
        .where('partner_id', '=', key.partnerId)
        .where('id', '=', key.id)
        .execute()
    }
  })
}

/** Keeps what the bank said of an open step; once the signing is decided, nothing is added to what it was decided from. */
export async function markStepRead(
  database: Database<unknown>,
  key: SigningKey,
  position: number,
  read: { readonly state: StepState; readonly scaStatus: string; readonly at: Temporal.Instant },
): Promise<void> {
  await whileUndecided(database, key, async (transaction) => {
    await transaction
      .updateTable('signing_steps')
      .set({
        state: read.state,
        sca_status: read.scaStatus,
        ...(read.state === 'open' ? {} : { ended_at: read.at.toString() }),
      })
      .where('partner_id', '=', key.partnerId)
      .where('signing_id', '=', key.id)
      .where('position', '=', position)
      .where('state', '=', 'open')
      .execute()
  })
}
