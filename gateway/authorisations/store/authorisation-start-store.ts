/** Stores the authorisations of steps, each started by one process at a time under a lease, and their late signatures. */
import { sql } from 'kysely'
import { rowOf } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { isHeld, type LeasableRow, type Lease, releaseLease, takeLease } from '../../platform/jobs/lease.ts'
import type { ScaStep, StartedScaStep } from '../sca-session.ts'
import {
  NEXT_VERSION,
  type ScaSessionKey,
  type StepApproach,
  type StepStart,
  scaSessionTables,
  updateScaSession,
  updateScaStep,
  updateUndecidedScaSession,
} from './sca-session-tables.ts'

const START_LEASE = 'start_lease_until'

/** A step as read by the process that would start it. */
type StepToStart = Pick<ScaStep, 'position' | 'state' | 'authorisationId'>

/**
 * Acquires the lease of a step that is unchanged since it was read; false while another process holds it. Renewals are
 * counted here, because one whose response was lost is an order at the bank, too.
 */
export async function acquireStartLease(
  database: Database<unknown>,
  key: ScaSessionKey,
  { position, state, authorisationId }: StepToStart,
  lease: Lease,
): Promise<boolean> {
  const isAcquired = await updateUndecidedScaSession(database, key, async (query) => {
    const set = state === 'open' ? { renewals: sql`renewals + 1` } : {}
    const where = sql<boolean>`state = ${state} and authorisation_id is not distinct from ${authorisationId}`
    return await takeLease({ query }, stepRowOf(key, position), lease, { set, where })
  })
  return isAcquired === true
}

function stepRowOf({ partnerId, id }: ScaSessionKey, position: number): LeasableRow {
  const key = { partner_id: partnerId, sca_session_id: id, position }
  return { table: 'sca_steps', key, column: START_LEASE }
}

/** Releases a lease after a failure. */
export async function releaseStartLease(
  database: Database<unknown>,
  key: ScaSessionKey,
  { position }: Pick<ScaStep, 'position'>,
  held: Lease,
): Promise<void> {
  await releaseLease(database, stepRowOf(key, position), { held })
}

/** What was started under which lease. */
type StartUnderLease = { readonly start: StepStart; readonly until: Temporal.Instant }

const NOT_ENDED = { ended_at: null, start_lease_until: null } as const

/** A new redirect may reach another user: the return from the previous step proves nothing about it. */
const UNTRUSTED = { trusted_at: null, trusted_by: null, confirm_hash: null } as const

/**
 * Opens a pending step, or replaces an authorisation that expired, which leaves the session's expiry as it is. False,
 * without effect, when the lease is lost or the session is decided.
 */
export async function recordStepStart(
  database: Database<unknown>,
  key: ScaSessionKey,
  step: Pick<ScaStep, 'position' | 'state'>,
  { start, until, expiresAt }: StartUnderLease & { readonly expiresAt: Temporal.Instant },
): Promise<boolean> {
  const isFirst = step.state === 'pending'
  const isStored = await updateUndecidedScaSession(database, key, async (tables) => {
    const { numUpdatedRows } = await updateScaStep(tables, key, step)
      .set({ ...rowOf(start), ...NOT_ENDED, ...(isFirst ? {} : { callback_hash: null }) })
      .where('state', '=', isFirst ? 'pending' : 'open')
      .where(isHeld({ until }, START_LEASE))
      .executeTakeFirst()
    const isRedirect = start.approach === 'redirect'
    if (numUpdatedRows === 1n && (isFirst || isRedirect)) {
      await updateScaSession(tables, key)
        .set({ ...(isFirst ? { expires_at: expiresAt.toString() } : {}), ...(isRedirect ? UNTRUSTED : {}) })
        .execute()
    }
    return numUpdatedRows === 1n
  })
  return isStored === true
}

/**
 * Stores an authorisation that started while the session was ending: it is not continued here, but an app may show it
 * to its user, so it is polled for a late signature. False when the lease is lost.
 */
export async function insertLateStart(
  database: Database<unknown>,
  key: ScaSessionKey,
  step: Pick<ScaStep, 'position'>,
  { start, until, lateSignaturePollAt }: StartUnderLease & { readonly lateSignaturePollAt: Temporal.Instant | null },
): Promise<boolean> {
  return await inTransaction({ database }, async (within) => {
    const tables = scaSessionTables(within.database)
    const session = await updateScaSession(tables, key)
      .set({ version: NEXT_VERSION })
      .returning('status')
      .executeTakeFirst()
    const { numUpdatedRows } = await updateScaStep(tables, key, step)
      .set({ ...rowOf(start), ...NOT_ENDED, state: 'open' })
      .where('state', 'in', ['pending', 'open', 'cancelled'])
      .where(isHeld({ until }, START_LEASE))
      .executeTakeFirst()
    const isStored = session !== undefined && numUpdatedRows === 1n
    if (isStored && session.status === 'ended' && lateSignaturePollAt !== null) {
      await updateScaSession(tables, key).set({ due_at: lateSignaturePollAt.toString() }).execute()
    }
    return isStored
  })
}

/**
 * Records the approach of the method that the user has chosen, and whether the browser is trusted with it, as where no
 * method is chosen; without effect where one is chosen already.
 */
export async function recordMethodSelected(
  database: Database<unknown>,
  key: ScaSessionKey,
  step: Pick<StartedScaStep, 'position' | 'authorisationId'>,
  { approach, at }: { readonly approach: StepApproach; readonly at: Temporal.Instant },
): Promise<void> {
  const inApp = step.position === 0 ? ({ trusted_at: at.toString(), trusted_by: 'return' } as const) : undefined
  const trust = approach.approach === 'redirect' ? UNTRUSTED : inApp
  await updateUndecidedScaSession(database, key, async (tables) => {
    const { numUpdatedRows } = await updateScaStep(tables, key, step)
      .set(rowOf(approach))
      .where('state', '=', 'open')
      .where('methods_sealed', 'is not', null)
      .where('authorisation_id', '=', step.authorisationId)
      .executeTakeFirst()
    if (numUpdatedRows === 1n && trust !== undefined) {
      await updateScaSession(tables, key).set(trust).execute()
    }
  })
}

/** Records that the bank accepted the signature of a step after its session had ended. */
export async function recordStepSignedLate(
  database: Database<unknown>,
  key: ScaSessionKey,
  step: Pick<StartedScaStep, 'position' | 'authorisationId'>,
  { scaStatus, at }: { readonly scaStatus: string; readonly at: Temporal.Instant },
): Promise<void> {
  await updateScaStep(scaSessionTables(database), key, step)
    .set({ state: 'signed-late', sca_status: scaStatus, ended_at: at.toString() })
    .where('state', '=', 'open')
    .where('authorisation_id', '=', step.authorisationId)
    .execute()
}
