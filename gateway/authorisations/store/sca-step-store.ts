/** Stores what happens to a session's steps: redirect, return, the bank's reports. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { ScaStep, ScaStepState, StartedScaStep } from '../sca-session.ts'
import { updateUndecidedScaSession } from './sca-session-end-store.ts'
import { type ScaSessionKey, scaSessionTables } from './sca-session-tables.ts'

/** The client that a step is signed from. */
export type SignatureEvidence = {
  readonly ipAddress: string
  readonly userAgent: string
  /** The language that it was shown in. */
  readonly language: string
  readonly at: Temporal.Instant
}

/** Records the client that a step's browser left from. */
export async function recordStepRedirected(
  database: Database<unknown>,
  key: ScaSessionKey,
  position: number,
  { ipAddress, userAgent, language, at }: SignatureEvidence,
): Promise<void> {
  await scaSessionTables(database)
    .updateTable('sca_steps')
    .set({ ip_address: ipAddress, user_agent: userAgent, language, left_at: at.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('sca_session_id', '=', key.id)
    .where('position', '=', position)
    .execute()
}

/** Records the return of a step's browser; true when the bank is to be read: not if it was since `quietSince`. */
export async function recordStepReturned(
  database: Database<unknown>,
  key: ScaSessionKey,
  returnHash: string,
  times: { readonly at: Temporal.Instant; readonly quietSince: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await scaSessionTables(database)
    .updateTable('sca_steps')
    .set({ returned_at: times.at.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('sca_session_id', '=', key.id)
    .where('return_hash', '=', returnHash)
    .where(sql<boolean>`(returned_at is null or returned_at <= ${times.quietSince.toString()})`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** What the bank reported of which authorisation. */
export type StepReport = {
  readonly authorisationId: string
  readonly state: ScaStepState
  readonly scaStatus: string
  /** Over at the bank, with an outcome that is not visible yet. */
  readonly isOver?: boolean
  /** Wall time. */
  readonly at: Temporal.Instant
}

/** Records the bank's report on an open step; nothing is added once the outcome is decided. */
export async function recordStepReport(
  database: Database<unknown>,
  key: ScaSessionKey,
  { position }: Pick<ScaStep, 'position'>,
  read: StepReport,
): Promise<void> {
  await updateUndecidedScaSession(database, key, async (transaction) => {
    await transaction
      .updateTable('sca_steps')
      .set({
        state: read.state,
        sca_status: read.scaStatus,
        ...(read.state === 'open' && read.isOver !== true
          ? {}
          : { ended_at: sql<string>`coalesce(ended_at, ${read.at.toString()})` }),
      })
      .where('partner_id', '=', key.partnerId)
      .where('sca_session_id', '=', key.id)
      .where('position', '=', position)
      .where('state', '=', 'open')
      .where('authorisation_id', '=', read.authorisationId)
      .execute()
  })
}

/** Records that the bank accepted the signature of a step after its session had ended. */
export async function recordStepSignedLate(
  database: Database<unknown>,
  key: ScaSessionKey,
  { position, authorisationId }: Pick<StartedScaStep, 'position' | 'authorisationId'>,
  { scaStatus, at }: Pick<StepReport, 'scaStatus' | 'at'>,
): Promise<void> {
  await scaSessionTables(database)
    .updateTable('sca_steps')
    .set({ state: 'signed-late', sca_status: scaStatus, ended_at: at.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('sca_session_id', '=', key.id)
    .where('position', '=', position)
    .where('state', '=', 'open')
    .where('authorisation_id', '=', authorisationId)
    .execute()
}
