/** The statements that write what becomes of a signing's steps: left for the bank, begun there, read there. */
import type { Database } from '../foundation/database/database.ts'
import type { StepState } from './signing.ts'
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

/** Keeps the authorisation with which a pending step became open; false when another request was quicker. */
export async function markStepOpen(
  database: Database<unknown>,
  key: SigningKey,
  position: number,
  opened: { authorisationId: string; redirectSealed: Buffer; returnHash: string; startedAt: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await signingTables(database)
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
  return numUpdatedRows === 1n
}

/** Keeps what the bank said of an open step. */
export async function markStepRead(
  database: Database<unknown>,
  key: SigningKey,
  position: number,
  read: { readonly state: StepState; readonly scaStatus: string; readonly at: Temporal.Instant },
): Promise<void> {
  await signingTables(database)
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
}
