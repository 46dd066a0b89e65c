/** The statements by which a signing ends: one outcome is claimed, and closed once its room has been told. */
import type { Transaction } from 'kysely'
import type { Database } from '../foundation/database/database.ts'
import { type Signing, type SigningOutcome, type SigningStatus, UNDECIDED } from './signing.ts'
import { listSteps, type SigningKey, type SigningTables, signingTables } from './signing-store.ts'

/** What is claimed, when, and from when on a sweep tells the room if the process that claimed it cannot. */
export type Decision = {
  readonly outcome: SigningOutcome
  readonly at: Temporal.Instant
  readonly tellAgainAt: Temporal.Instant
}

/**
 * Claims the outcome for whoever still sees the signing as it is, and answers it decided; undefined when its status
 * or a step has moved on since it was read, so that nobody decides from what is no longer true.
 */
export async function decideSigning(
  database: Database<unknown>,
  signing: Signing,
  { outcome, at, tellAgainAt }: Decision,
): Promise<Signing | undefined> {
  return await whileUndecided(database, signing, async (transaction, status) => {
    const steps = await listSteps(transaction, signing)
    if (status !== signing.status || !steps.every(({ state }, n) => state === signing.steps[n]?.state)) {
      return undefined
    }
    await transaction
      .updateTable('signings')
      .set({
        status: 'decided',
        outcome,
        link_sealed: null,
        ended_at: at.toString(),
        due_at: tellAgainAt.toString(),
      })
      .where('partner_id', '=', signing.partnerId)
      .where('id', '=', signing.id)
      .execute()
    return { ...signing, status: 'decided', outcome, linkSealed: null, endedAt: at, steps }
  })
}

/** Closes a decided signing whose room knows, with what it came to there. */
export async function markEnded(database: Database<unknown>, key: SigningKey, outcome: SigningOutcome): Promise<void> {
  await signingTables(database)
    .updateTable('signings')
    .set({ status: 'ended', outcome, due_at: null, lease_until: null })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '=', 'decided')
    .execute()
}

/** Writes to a signing under its row's lock; undefined, and nothing is written, when its outcome is decided. */
export async function whileUndecided<Result>(
  database: Database<unknown>,
  key: SigningKey,
  write: (transaction: Transaction<SigningTables>, status: SigningStatus) => Promise<Result>,
): Promise<Result | undefined> {
  return await signingTables(database)
    .transaction()
    .execute(async (transaction) => {
      const row = await transaction
        .selectFrom('signings')
        .select('status')
        .where('partner_id', '=', key.partnerId)
        .where('id', '=', key.id)
        .where('status', 'in', UNDECIDED)
        .forUpdate()
        .executeTakeFirst()
      return row && (await write(transaction, row.status))
    })
}
