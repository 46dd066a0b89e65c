/** Every query on signings and their steps. */
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { type Signing, type SigningKindName, type SigningStep, UNDECIDED } from '../../signing/signing.ts'
import {
  SIGNING,
  type SigningKey,
  type SigningTables,
  type SigningTransaction,
  STEP,
  signingTables,
} from './sca-session-tables.ts'

/** A signing as it is first kept. */
export type NewSigning = Omit<
  Signing,
  'browserHash' | 'trustedAt' | 'confirmHash' | 'outcome' | 'endedAt' | 'readAt' | 'steps'
> & {
  /** When the sweep looks at it first. */
  readonly dueAt: Temporal.Instant
  readonly steps: readonly (SigningStep & {
    readonly userSealed: Buffer | null
    /** From where it is signed, when that is known from the beginning. */
    readonly ipAddress?: string
    readonly userAgent?: string
  })[]
}

/** Keeps a new signing in the transaction of its room. */
export async function insertSigning(transaction: SigningTransaction, signing: NewSigning): Promise<void> {
  const within = transaction.withTables<SigningTables>()
  await within
    .insertInto('signings')
    .values({
      partner_id: signing.partnerId,
      id: signing.id,
      kind: signing.kind,
      subject_id: signing.subjectId,
      consent_id: signing.consentId,
      bic: signing.bic,
      identity_provider: signing.identityProvider,
      callback_url: signing.callbackUrl,
      link_hash: signing.linkHash,
      link_sealed: signing.linkSealed,
      shown_by: signing.shownBy,
      preferred: signing.preferred,
      status: signing.status,
      created_at: signing.createdAt.toString(),
      left_at: signing.status === 'left' ? signing.createdAt.toString() : null,
      expires_at: signing.expiresAt.toString(),
      step_seconds: signing.stepSeconds,
      due_at: signing.dueAt.toString(),
    })
    .execute()
  await within
    .insertInto('signing_steps')
    .values(
      signing.steps.map((step) => ({
        partner_id: signing.partnerId,
        signing_id: signing.id,
        position: step.position,
        target_type: step.targetType,
        target_id: step.targetId,
        authorisation_id: step.authorisationId,
        way: step.way,
        redirect_sealed: step.redirectSealed,
        text_sealed: step.textSealed,
        code_sealed: step.codeSealed,
        return_secret_sealed: step.returnSecretSealed,
        return_hash: step.returnHash,
        state: step.state,
        shown: JSON.stringify(step.shown),
        shown_sealed: step.shownSealed,
        user_sealed: step.userSealed,
        ip_address: step.ipAddress ?? null,
        user_agent: step.userAgent ?? null,
        started_at: step.startedAt?.toString() ?? null,
      })),
    )
    .execute()
}

/** One signing, by its partner and id. */
export async function findSigning(database: Database<unknown>, key: SigningKey): Promise<Signing | undefined> {
  const row = await signingTables(database)
    .selectFrom('signings')
    .select(SIGNING)
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .executeTakeFirst()
  return row && { ...row, steps: await listSteps(signingTables(database), key) }
}

/** The latest signing of a consent or an approval. */
export async function findSigningOf(
  database: Database<unknown>,
  partnerId: string,
  kind: SigningKindName,
  subjectId: string,
): Promise<Signing | undefined> {
  const row = await signingTables(database)
    .selectFrom('signings')
    .select(SIGNING)
    .where('partner_id', '=', partnerId)
    .where('kind', '=', kind)
    .where('subject_id', '=', subjectId)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row && { ...row, steps: await listSteps(signingTables(database), row) }
}

/** The signings that have not ended in which one of these things is signed. */
export async function listLiveSignings(
  database: Database<unknown>,
  partnerId: string,
  targetIds: readonly string[],
): Promise<readonly Signing[]> {
  const rows = await signingsOfTargets(database, partnerId, targetIds).where('status', '<>', 'ended').execute()
  return await withSteps(database, rows)
}

/** Those that have ended, and are still looked at for a signature that the bank took late. */
export async function listSigningsToLookAt(
  database: Database<unknown>,
  partnerId: string,
  targetIds: readonly string[],
): Promise<readonly Signing[]> {
  const rows = await signingsOfTargets(database, partnerId, targetIds)
    .where('status', '=', 'ended')
    .where('due_at', 'is not', null)
    .execute()
  return await withSteps(database, rows)
}

function signingsOfTargets(database: Database<unknown>, partnerId: string, targetIds: readonly string[]) {
  return signingTables(database)
    .selectFrom('signings')
    .select(SIGNING)
    .where('partner_id', '=', partnerId)
    .where('id', 'in', (steps) =>
      steps
        .selectFrom('signing_steps')
        .select('signing_id')
        .where('partner_id', '=', partnerId)
        .where('target_id', 'in', [...targetIds]),
    )
}

async function withSteps(
  database: Database<unknown>,
  rows: readonly Omit<Signing, 'steps'>[],
): Promise<readonly Signing[]> {
  return await Promise.all(rows.map(async (row) => ({ ...row, steps: await listSteps(signingTables(database), row) })))
}

/** The steps of a signing in order. */
export async function listSteps(
  tables: Kysely<SigningTables>,
  { partnerId, id }: SigningKey,
): Promise<readonly SigningStep[]> {
  return await tables
    .selectFrom('signing_steps')
    .select(STEP)
    .where('partner_id', '=', partnerId)
    .where('signing_id', '=', id)
    .orderBy('position')
    .execute()
}

/** The browser leaves for the bank; false when the link was used up by another one. */
export async function markLeft(
  database: Database<unknown>,
  key: SigningKey,
  left: { readonly browserHash: string; readonly at: Temporal.Instant; readonly dueAt: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await signingTables(database)
    .updateTable('signings')
    .set({
      status: 'left',
      browser_hash: left.browserHash,
      left_at: left.at.toString(),
      due_at: left.dueAt.toString(),
    })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', 'in', UNDECIDED)
    .where((where) => where.or([where('browser_hash', 'is', null), where('browser_hash', '=', left.browserHash)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
