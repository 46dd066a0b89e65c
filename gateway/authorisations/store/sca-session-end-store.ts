/** The statements by which a signing ends: one outcome is claimed, and closed once its room has been told. */
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { openStep, type Signing, type SigningOutcome, type SigningStep, UNDECIDED } from '../../signing/signing.ts'
import { listSteps } from './sca-session-store.ts'
import { type SigningKey, type SigningTables, signingTables } from './sca-session-tables.ts'

/** What is claimed, when, and until when whoever claimed it tells the room; a sweep does so after that. */
export type Decision = {
  readonly outcome: SigningOutcome
  readonly at: Temporal.Instant
  readonly tellingUntil: Temporal.Instant
}

/**
 * Claims the outcome for whoever still sees the signing as it is, and answers it decided; undefined when its status,
 * its trust or a step has moved on since it was read, so that nobody decides from what is no longer true.
 */
export async function decideSigning(
  database: Database<unknown>,
  signing: Signing,
  { outcome, at, tellingUntil }: Decision,
): Promise<Signing | undefined> {
  return await whileUndecided(database, signing, async (transaction, kept) => {
    const steps = await listSteps(transaction, signing)
    const isSame = kept.status === signing.status && kept.isTrusted === (signing.trustedAt !== null)
    if (!isSame || !steps.every((step, n) => isAsRead(step, signing.steps[n]))) {
      return undefined
    }
    await transaction
      .updateTable('signings')
      .set({
        status: 'decided',
        outcome,
        link_sealed: null,
        ended_at: at.toString(),
        due_at: tellingUntil.toString(),
      })
      .where('partner_id', '=', signing.partnerId)
      .where('id', '=', signing.id)
      .execute()
    return { ...signing, status: 'decided', outcome, linkSealed: null, endedAt: at, steps }
  })
}

/** A code that was renewed since is another authorisation, of which nobody has asked the bank. */
function isAsRead(kept: SigningStep, read: SigningStep | undefined): boolean {
  return kept.state === read?.state && kept.authorisationId === read.authorisationId
}

/** Claims the telling of a decided outcome; false while somebody else is at it, or once it is told. */
export async function claimTelling(
  database: Database<unknown>,
  key: SigningKey,
  { at, tellingUntil }: Pick<Decision, 'at' | 'tellingUntil'>,
): Promise<boolean> {
  const { numUpdatedRows } = await signingTables(database)
    .updateTable('signings')
    .set({ due_at: tellingUntil.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '=', 'decided')
    .where('due_at', '<=', sql<Temporal.Instant>`${at.toString()}`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Gives the telling up: the next one may try from then on. */
export async function yieldTelling(
  database: Database<unknown>,
  key: SigningKey,
  tellAgainAt: Temporal.Instant,
): Promise<void> {
  await signingTables(database)
    .updateTable('signings')
    .set({ due_at: tellAgainAt.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '=', 'decided')
    .execute()
}

/**
 * Closes a decided signing whose room knows, with what it came to there, and when to look for a signature that came late:
 * if an authorisation is open at the bank, be it one that began there since the outcome was claimed.
 */
export async function markEnded(
  database: Database<unknown>,
  key: SigningKey,
  { outcome, lookLateAt }: { readonly outcome: SigningOutcome; readonly lookLateAt: Temporal.Instant | null },
): Promise<void> {
  await signingTables(database)
    .transaction()
    .execute(async (transaction) => {
      if ((await lockSigning(transaction, key))?.status === 'decided') {
        const isOpenAtBank = openStep({ steps: await listSteps(transaction, key) }) !== undefined
        await transaction
          .updateTable('signings')
          .set({ status: 'ended', outcome, due_at: isOpenAtBank ? (lookLateAt?.toString() ?? null) : null })
          .where('partner_id', '=', key.partnerId)
          .where('id', '=', key.id)
          .execute()
      }
    })
}

/** Locks the row of a signing, and says how it stands. */
export async function lockSigning(
  transaction: Transaction<SigningTables>,
  key: SigningKey,
): Promise<Pick<Signing, 'status'> | undefined> {
  return await transaction
    .selectFrom('signings')
    .select('status')
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .forUpdate()
    .executeTakeFirst()
}

/** Nothing more is looked for. */
export async function markLookedLate(database: Database<unknown>, key: SigningKey): Promise<void> {
  await signingTables(database)
    .updateTable('signings')
    .set({ due_at: null, lease_until: null })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '=', 'ended')
    .execute()
}

/** What could not be looked for is looked for again. */
export async function postponeLateLook(
  database: Database<unknown>,
  key: SigningKey,
  dueAt: Temporal.Instant,
): Promise<void> {
  await signingTables(database)
    .updateTable('signings')
    .set({ due_at: dueAt.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '=', 'ended')
    .where('due_at', 'is not', null)
    .execute()
}

type Kept = Pick<Signing, 'status'> & { readonly isTrusted: boolean }

/** Writes to a signing under its row's lock; undefined, and nothing is written, when its outcome is decided. */
export async function whileUndecided<Result>(
  database: Database<unknown>,
  key: SigningKey,
  write: (transaction: Transaction<SigningTables>, kept: Kept) => Promise<Result>,
): Promise<Result | undefined> {
  return await signingTables(database)
    .transaction()
    .execute(async (transaction) => {
      const row = await transaction
        .selectFrom('signings')
        .select(['status', 'trusted_at as trustedAt'])
        .where('partner_id', '=', key.partnerId)
        .where('id', '=', key.id)
        .where('status', 'in', UNDECIDED)
        .forUpdate()
        .executeTakeFirst()
      return row && (await write(transaction, { status: row.status, isTrusted: row.trustedAt !== null }))
    })
}
