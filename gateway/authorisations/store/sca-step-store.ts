/** The statements that write what becomes of a signing's steps: left for the bank, begun there, read there. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { BegunStep, SigningStep, StepState } from '../../signing/signing.ts'
import { whileUndecided } from './sca-session-end-store.ts'
import { type SigningKey, signingTables } from './sca-session-tables.ts'

/** From where a step is signed. */
export type Evidence = {
  readonly ipAddress: string
  readonly userAgent: string
  /** In which it was shown. */
  readonly language: string
  readonly at: Temporal.Instant
}

/** Keeps from where a step's browser left. */
export async function markStepLeft(
  database: Database<unknown>,
  key: SigningKey,
  position: number,
  { ipAddress, userAgent, language, at }: Evidence,
): Promise<void> {
  await signingTables(database)
    .updateTable('signing_steps')
    .set({ ip_address: ipAddress, user_agent: userAgent, language, left_at: at.toString() })
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

/** What the bank said of which authorisation. */
export type StepRead = {
  readonly authorisationId: string
  readonly state: StepState
  readonly scaStatus: string
  /** It is over at the bank, though how it ended does not show yet. */
  readonly isOver?: boolean
  /** Wall time. */
  readonly at: Temporal.Instant
}

/** Keeps what the bank said of an open step; once the signing is decided, nothing is added to what it was decided from. */
export async function markStepRead(
  database: Database<unknown>,
  key: SigningKey,
  { position }: Pick<SigningStep, 'position'>,
  read: StepRead,
): Promise<void> {
  await whileUndecided(database, key, async (transaction) => {
    await transaction
      .updateTable('signing_steps')
      .set({
        state: read.state,
        sca_status: read.scaStatus,
        ...(read.state === 'open' && read.isOver !== true
          ? {}
          : { ended_at: sql<string>`coalesce(ended_at, ${read.at.toString()})` }),
      })
      .where('partner_id', '=', key.partnerId)
      .where('signing_id', '=', key.id)
      .where('position', '=', position)
      .where('state', '=', 'open')
      .where('authorisation_id', '=', read.authorisationId)
      .execute()
  })
}

/** Records that the bank took the signature of a step after its signing had ended. */
export async function markStepSignedLate(
  database: Database<unknown>,
  key: SigningKey,
  { position, authorisationId }: Pick<BegunStep, 'position' | 'authorisationId'>,
  { scaStatus, at }: Pick<StepRead, 'scaStatus' | 'at'>,
): Promise<void> {
  await signingTables(database)
    .updateTable('signing_steps')
    .set({ state: 'signed-late', sca_status: scaStatus, ended_at: at.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('signing_id', '=', key.id)
    .where('position', '=', position)
    .where('state', '=', 'open')
    .where('authorisation_id', '=', authorisationId)
    .execute()
}
