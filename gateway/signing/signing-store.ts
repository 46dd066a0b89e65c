/** Every query on signings and their steps. */
import type { ColumnType, Kysely, Transaction } from 'kysely'
import type { Database } from '../foundation/database/database.ts'
import {
  type Shown,
  type Signing,
  type SigningKindName,
  type SigningOutcome,
  type SigningStatus,
  type SigningStep,
  type StepState,
  UNDECIDED,
} from './signing.ts'

type Instant = ColumnType<Temporal.Instant, string, string>
type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>
type Maybe<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>

/** The tables of this room. */
export type SigningTables = {
  signings: {
    partner_id: string
    id: string
    kind: SigningKindName
    subject_id: string
    consent_id: string
    bic: string
    callback_url: string
    link_hash: string
    link_sealed: Maybe<Buffer>
    browser_hash: Maybe<string>
    status: SigningStatus
    outcome: Maybe<SigningOutcome>
    created_at: Instant
    left_at: MaybeInstant
    expires_at: Instant
    step_seconds: number
    ended_at: MaybeInstant
    read_at: MaybeInstant
    due_at: MaybeInstant
    lease_until: MaybeInstant
  }
  signing_steps: {
    partner_id: string
    signing_id: string
    position: number
    target_type: 'consent' | 'payment'
    target_id: string
    authorisation_id: Maybe<string>
    redirect_sealed: Maybe<Buffer>
    return_hash: Maybe<string>
    state: StepState
    sca_status: Maybe<string>
    shown: ColumnType<Shown, string>
    user_sealed: Maybe<Buffer>
    ip_address: Maybe<string>
    user_agent: Maybe<string>
    started_at: MaybeInstant
    left_at: MaybeInstant
    returned_at: MaybeInstant
    ended_at: MaybeInstant
  }
}

/** A transaction of the room that wants the signature. */
export type SigningTransaction = Transaction<unknown>
/** What identifies a signing. */
export type SigningKey = Pick<Signing, 'partnerId' | 'id'>

/** The tables of signings as queries see them. */
export const signingTables = (database: Database<unknown>): Kysely<SigningTables> =>
  database.query.withTables<SigningTables>()

const SIGNING = [
  'partner_id as partnerId',
  'id',
  'kind',
  'subject_id as subjectId',
  'consent_id as consentId',
  'bic',
  'callback_url as callbackUrl',
  'link_hash as linkHash',
  'link_sealed as linkSealed',
  'browser_hash as browserHash',
  'status',
  'outcome',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'step_seconds as stepSeconds',
  'ended_at as endedAt',
  'read_at as readAt',
] as const

const STEP = [
  'position',
  'target_type as targetType',
  'target_id as targetId',
  'authorisation_id as authorisationId',
  'redirect_sealed as redirectSealed',
  'return_hash as returnHash',
  'state',
  'shown',
] as const

/** A signing as it is first kept. */
export type NewSigning = Omit<Signing, 'browserHash' | 'status' | 'outcome' | 'endedAt' | 'readAt' | 'steps'> & {
  readonly steps: readonly (SigningStep & {
    readonly userSealed: Buffer | null
    readonly startedAt: Temporal.Instant | null
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
      callback_url: signing.callbackUrl,
      link_hash: signing.linkHash,
      link_sealed: signing.linkSealed,
      status: 'waiting',
      created_at: signing.createdAt.toString(),
      expires_at: signing.expiresAt.toString(),
      step_seconds: signing.stepSeconds,
      due_at: signing.expiresAt.toString(),
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
        redirect_sealed: step.redirectSealed,
        return_hash: step.returnHash,
        state: step.state,
        shown: JSON.stringify(step.shown),
        user_sealed: step.userSealed,
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
  const rows = await signingTables(database)
    .selectFrom('signings')
    .select(SIGNING)
    .where('partner_id', '=', partnerId)
    .where('status', '<>', 'ended')
    .where('id', 'in', (steps) =>
      steps
        .selectFrom('signing_steps')
        .select('signing_id')
        .where('partner_id', '=', partnerId)
        .where('target_id', 'in', [...targetIds]),
    )
    .execute()
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
      link_sealed: null,
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
