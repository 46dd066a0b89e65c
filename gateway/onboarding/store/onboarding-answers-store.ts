/** Queries on the answers and document requests of onboardings; both are encrypted. */

import type { Updateable } from 'kysely'
import type { Context } from '../../context.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import {
  type Onboarding,
  type OnboardingKey,
  type OnboardingSecret,
  onboardingPurpose,
  type TaskType,
} from './onboarding.ts'
import { NO_ANSWERS, type OnboardingAnswers } from './onboarding-answers.ts'
import { type OnboardingTables, onboardingTables } from './onboarding-tables.ts'

/** The stored answers; `NO_ANSWERS` before the link is opened and after the purge. */
export async function readAnswers({ database, seal }: Context, key: OnboardingKey): Promise<OnboardingAnswers> {
  const row = await onboardingTables(database)
    .selectFrom('onboardings')
    .select('answers_sealed')
    .where(hasKey(key))
    .executeTakeFirst()
  const sealed = row?.answers_sealed ?? null
  // The sealed JSON was written by `saveAnswers` below: no schema check is needed.
  return sealed === null ? NO_ANSWERS : JSON.parse(seal.open(sealed, onboardingPurpose('answers', key)))
}

/** The answers with the columns that change together with them. */
export type AnswersUpdate = {
  readonly answers: OnboardingAnswers
  readonly at: Temporal.Instant
  readonly expiresAt: Temporal.Instant
  readonly tasksDone: readonly TaskType[]
  /** Undefined fields are not written. */
  readonly organisationName?: string | null
  readonly submittedAt?: Temporal.Instant | null
  readonly documentHash?: string | null
}

/** Saves the answers under the next revision; false when the revision or the status changed concurrently. */
export async function saveAnswers(
  context: Context,
  onboarding: Pick<Onboarding, 'partnerId' | 'id' | 'revision' | 'status'>,
  { answers, at, expiresAt, tasksDone, ...also }: AnswersUpdate,
): Promise<boolean> {
  const { organisationName, submittedAt, documentHash } = also
  const { numUpdatedRows } = await onboardingTables(context.database)
    .updateTable('onboardings')
    .set({
      answers_sealed: sealed(context, 'answers', onboarding, JSON.stringify(answers)),
      revision: onboarding.revision + 1,
      tasks_done: [...tasksDone],
      updated_at: at.toString(),
      expires_at: expiresAt.toString(),
      due_at: expiresAt.toString(),
      ...(organisationName === undefined ? {} : { organisation_name: organisationName }),
      ...(submittedAt === undefined ? {} : { submitted_at: submittedAt?.toString() ?? null }),
      ...(documentHash === undefined ? {} : { document_hash: documentHash }),
    })
    .where(hasKey(onboarding))
    .where('revision', '=', onboarding.revision)
    .where('status', '=', onboarding.status)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes answers, personal data of signers, documents and sessions. */
export async function deleteAnswers({ database }: Context, key: OnboardingKey): Promise<void> {
  const tables = onboardingTables(database)
  for (const table of ['onboarding_signers', 'onboarding_sessions', 'onboarding_documents'] as const) {
    await tables.deleteFrom(table).where('partner_id', '=', key.partnerId).where('onboarding_id', '=', key.id).execute()
  }
  await tables
    .updateTable('onboardings')
    .set({ answers_sealed: null, documents_requested_sealed: null, purge_at: null, lease_until: null })
    .where(hasKey(key))
    .execute()
}

/** The operator's document request as written; null when there is none. */
export async function readDocumentRequest({ database, seal }: Context, key: OnboardingKey): Promise<string | null> {
  const row = await onboardingTables(database)
    .selectFrom('onboardings')
    .select('documents_requested_sealed')
    .where(hasKey(key))
    .executeTakeFirst()
  const sealedRequest = row?.documents_requested_sealed ?? null
  return sealedRequest === null ? null : seal.open(sealedRequest, onboardingPurpose('documents requested', key))
}

/** Records that all signatures are given; due at once, so that the job decides if this process crashes. */
export async function recordSignaturesComplete(
  database: Context['database'],
  { partnerId, id, tasksDone }: Pick<Onboarding, 'partnerId' | 'id' | 'tasksDone'>,
  dueAt: Temporal.Instant,
): Promise<void> {
  await onboardingTables(database)
    .updateTable('onboardings')
    .set({ tasks_done: [...tasksDone, 'Signatures'], due_at: dueAt.toString() })
    .where(hasKey({ partnerId, id }))
    .execute()
}

/** The request text, and until when the documents must be uploaded. */
export type DocumentRequest = {
  readonly words: string
  readonly at: Temporal.Instant
  readonly until: Temporal.Instant
}

/** Records a document request; false when the onboarding is not in manual handling. */
export async function requestDocuments(
  context: Context,
  onboarding: Pick<Onboarding, 'partnerId' | 'id' | 'tasksDone'>,
  { words, at, until }: DocumentRequest,
): Promise<boolean> {
  return await updateInManualHandling(context.database, onboarding, {
    documents_requested_sealed: sealed(context, 'documents requested', onboarding, words),
    documents_requested_at: at.toString(),
    status_reason: 'MissingDocuments',
    tasks_done: onboarding.tasksDone.filter((task) => task !== 'Documents'),
    updated_at: at.toString(),
    due_at: until.toString(),
  })
}

/** Records that the documents were uploaded; false when the onboarding is not in manual handling. */
export async function recordDocumentsReceived(
  { database }: Context,
  onboarding: Pick<Onboarding, 'partnerId' | 'id' | 'tasksDone'>,
  at: Temporal.Instant,
): Promise<boolean> {
  return await updateInManualHandling(database, onboarding, {
    status_reason: null,
    tasks_done: [...onboarding.tasksDone, 'Documents'],
    updated_at: at.toString(),
    due_at: null,
  })
}

async function updateInManualHandling(
  database: Context['database'],
  key: OnboardingKey,
  changes: Updateable<OnboardingTables['onboardings']>,
): Promise<boolean> {
  const { numUpdatedRows } = await onboardingTables(database)
    .updateTable('onboardings')
    .set(changes)
    .where(hasKey(key))
    .where('status', '=', 'ManualHandling')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function sealed({ seal }: Context, what: OnboardingSecret, key: OnboardingKey, text: string): Buffer {
  return seal.seal(text, onboardingPurpose(what, key))
}
