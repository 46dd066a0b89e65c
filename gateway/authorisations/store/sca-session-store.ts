/** Holds the queries on SCA sessions and their steps. */
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { executePrepared } from '../../platform/database/execute-prepared.ts'
import { type ScaSession, type ScaStep, type ScaSubjectType, UNDECIDED_STATUSES } from '../sca-session.ts'
import {
  SCA_SESSION_COLUMNS,
  SCA_STEP_COLUMNS,
  type ScaSessionKey,
  type ScaSessionTables,
  type ScaSessionTransaction,
  scaSessionTables,
} from './sca-session-tables.ts'

/** A session as it is first stored. */
export type NewScaSession = Omit<
  ScaSession,
  'browserHash' | 'trustedAt' | 'confirmHash' | 'outcome' | 'endedAt' | 'readAt' | 'steps'
> & {
  /** When it is first polled. */
  readonly dueAt: Temporal.Instant
  readonly steps: readonly (ScaStep & {
    readonly userSealed: Buffer | null
    /** The client that it is signed from, when known from the beginning. */
    readonly ipAddress?: string
    readonly userAgent?: string
  })[]
}

/** Stores a new session in the transaction of its owner. */
export async function insertScaSession(transaction: ScaSessionTransaction, session: NewScaSession): Promise<void> {
  const within = transaction.withTables<ScaSessionTables>()
  await within
    .insertInto('sca_sessions')
    .values({
      partner_id: session.partnerId,
      id: session.id,
      kind: session.kind,
      subject_id: session.subjectId,
      consent_id: session.consentId,
      bic: session.bic,
      identity_provider: session.identityProvider,
      callback_url: session.callbackUrl,
      link_hash: session.linkHash,
      link_sealed: session.linkSealed,
      shown_by: session.shownBy,
      preferred: session.preferred,
      status: session.status,
      created_at: session.createdAt.toString(),
      left_at: session.status === 'left' ? session.createdAt.toString() : null,
      expires_at: session.expiresAt.toString(),
      step_seconds: session.stepSeconds,
      due_at: session.dueAt.toString(),
    })
    .execute()
  await within
    .insertInto('sca_steps')
    .values(
      session.steps.map((step) => ({
        partner_id: session.partnerId,
        sca_session_id: session.id,
        position: step.position,
        target_type: step.targetType,
        target_id: step.targetId,
        authorisation_id: step.authorisationId,
        approach: step.approach,
        redirect_sealed: step.redirectSealed,
        text_sealed: step.textSealed,
        code_sealed: step.codeSealed,
        methods_sealed: step.methodsSealed,
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

/** One session, by partner and id. */
export async function findScaSession(database: Database<unknown>, key: ScaSessionKey): Promise<ScaSession | undefined> {
  const statement = scaSessionTables(database)
    .selectFrom('sca_sessions')
    .select(SCA_SESSION_COLUMNS)
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
  const [row] = (await executePrepared(database, statement)).rows
  return row && { ...row, steps: await listScaSteps(scaSessionTables(database), key) }
}

/** The latest session of a consent or an approval. */
export async function findLatestScaSessionOf(
  database: Database<unknown>,
  partnerId: string,
  kind: ScaSubjectType,
  subjectId: string,
): Promise<ScaSession | undefined> {
  const row = await scaSessionTables(database)
    .selectFrom('sca_sessions')
    .select(SCA_SESSION_COLUMNS)
    .where('partner_id', '=', partnerId)
    .where('kind', '=', kind)
    .where('subject_id', '=', subjectId)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row && { ...row, steps: await listScaSteps(scaSessionTables(database), row) }
}

/** Sessions of these targets that have not ended. */
export async function listOpenScaSessions(
  database: Database<unknown>,
  partnerId: string,
  targetIds: readonly string[],
): Promise<readonly ScaSession[]> {
  const rows = await scaSessionsOfTargets(database, partnerId, targetIds).where('status', '<>', 'ended').execute()
  return await withSteps(database, rows)
}

/** Ended sessions of these targets that are still polled for a late signature. */
export async function listSessionsAwaitingLateSignature(
  database: Database<unknown>,
  partnerId: string,
  targetIds: readonly string[],
): Promise<readonly ScaSession[]> {
  const rows = await scaSessionsOfTargets(database, partnerId, targetIds)
    .where('status', '=', 'ended')
    .where('due_at', 'is not', null)
    .execute()
  return await withSteps(database, rows)
}

function scaSessionsOfTargets(database: Database<unknown>, partnerId: string, targetIds: readonly string[]) {
  return scaSessionTables(database)
    .selectFrom('sca_sessions')
    .select(SCA_SESSION_COLUMNS)
    .where('partner_id', '=', partnerId)
    .where('id', 'in', (steps) =>
      steps
        .selectFrom('sca_steps')
        .select('sca_session_id')
        .where('partner_id', '=', partnerId)
        .where('target_id', 'in', [...targetIds]),
    )
}

async function withSteps(
  database: Database<unknown>,
  rows: readonly Omit<ScaSession, 'steps'>[],
): Promise<readonly ScaSession[]> {
  return await Promise.all(
    rows.map(async (row) => ({ ...row, steps: await listScaSteps(scaSessionTables(database), row) })),
  )
}

/** The steps of a session in order. */
export async function listScaSteps(
  tables: Kysely<ScaSessionTables>,
  { partnerId, id }: ScaSessionKey,
): Promise<readonly ScaStep[]> {
  const statement = tables
    .selectFrom('sca_steps')
    .select(SCA_STEP_COLUMNS)
    .where('partner_id', '=', partnerId)
    .where('sca_session_id', '=', id)
    .orderBy('position')
  return (await executePrepared({ query: tables }, statement)).rows
}

/** Records the redirect to the bank; false when another browser has used the link. */
export async function recordRedirected(
  database: Database<unknown>,
  key: ScaSessionKey,
  left: { readonly browserHash: string; readonly at: Temporal.Instant; readonly dueAt: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await scaSessionTables(database)
    .updateTable('sca_sessions')
    .set({
      status: 'left',
      browser_hash: left.browserHash,
      left_at: left.at.toString(),
      due_at: left.dueAt.toString(),
    })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', 'in', UNDECIDED_STATUSES)
    .where((where) => where.or([where('browser_hash', 'is', null), where('browser_hash', '=', left.browserHash)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
