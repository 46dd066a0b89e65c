/** Queries on the answers and document requests of onboardings; both are encrypted. */

import type { Context } from '../../context.ts'
import { columnsOf, rowOf } from '../../platform/database/columns.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import {
  DOCUMENTS_WITHIN_HOURS,
  expiryAfter,
  type Onboarding,
  type OnboardingKey,
  type OnboardingSecret,
  onboardingPurpose,
  type TaskType,
} from './onboarding.ts'
import { NO_ANSWERS, type OnboardingAnswers } from './onboarding-answers.ts'
import { type OnboardingRow, onboardingTables } from './onboarding-tables.ts'

/** The stored answers; `NO_ANSWERS` before the link is opened and after the purge. */
export async function readAnswers({ database, seal }: Context, key: OnboardingKey): Promise<OnboardingAnswers> {
  const row = await onboardingTables(database)
    .selectFrom('onboardings')
    .select(columnsOf('answersSealed'))
    .where(hasKey(key))
    .executeTakeFirst()
  const sealed = row?.answersSealed ?? null
  // The sealed JSON was written by `saveAnswers` below: no schema check is needed.
  return sealed === null ? NO_ANSWERS : JSON.parse(seal.open(sealed, onboardingPurpose('answers', key)))
}

/** The answers with the columns that change together with them. */
export type AnswersUpdate = {
  readonly answers: OnboardingAnswers
  readonly at: Temporal.Instant
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
  { answers, at, ...also }: AnswersUpdate,
): Promise<boolean> {
  const expiresAt = expiryAfter(at)
  const { numUpdatedRows } = await onboardingTables(context.database)
    .updateTable('onboardings')
    .set(
      rowOf({
        ...also,
        answersSealed: sealed(context, 'answers', onboarding, JSON.stringify(answers)),
        revision: onboarding.revision + 1,
        updatedAt: at,
        expiresAt,
        dueAt: expiresAt,
      }),
    )
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
    .set(rowOf({ answersSealed: null, documentsRequestedSealed: null, purgeAt: null, leaseUntil: null }))
    .where(hasKey(key))
    .execute()
}

/** The operator's document request as written; null when there is none. */
export async function readDocumentRequest({ database, seal }: Context, key: OnboardingKey): Promise<string | null> {
  const row = await onboardingTables(database)
    .selectFrom('onboardings')
    .select(columnsOf('documentsRequestedSealed'))
    .where(hasKey(key))
    .executeTakeFirst()
  const sealedRequest = row?.documentsRequestedSealed ?? null
  return sealedRequest === null ? null : seal.open(sealedRequest, onboardingPurpose('documents requested', key))
}

/** Records a document request, as the operator wrote it; false when the onboarding is not in manual handling. */
export async function requestDocuments(
  context: Context,
  onboarding: Pick<Onboarding, 'partnerId' | 'id' | 'tasksDone'>,
  words: string,
  at: Temporal.Instant,
): Promise<boolean> {
  return await updateInManualHandling(context.database, onboarding, {
    documentsRequestedSealed: sealed(context, 'documents requested', onboarding, words),
    documentsRequestedAt: at,
    statusReason: 'MissingDocuments',
    tasksDone: onboarding.tasksDone.filter((task) => task !== 'Documents'),
    updatedAt: at,
    dueAt: at.add({ hours: DOCUMENTS_WITHIN_HOURS }),
  })
}

/** Records that the documents were uploaded; false when the onboarding is not in manual handling. */
export async function recordDocumentsReceived(
  { database }: Context,
  onboarding: Pick<Onboarding, 'partnerId' | 'id' | 'tasksDone'>,
  at: Temporal.Instant,
): Promise<boolean> {
  return await updateInManualHandling(database, onboarding, {
    statusReason: null,
    tasksDone: [...onboarding.tasksDone, 'Documents'],
    updatedAt: at,
    dueAt: null,
  })
}

async function updateInManualHandling(
  database: Context['database'],
  key: OnboardingKey,
  changes: Partial<OnboardingRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await onboardingTables(database)
    .updateTable('onboardings')
    .set(rowOf(changes))
    .where(hasKey(key))
    .where('status', '=', 'ManualHandling')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function sealed({ seal }: Context, what: OnboardingSecret, key: OnboardingKey, text: string): Buffer {
  return seal.seal(text, onboardingPurpose(what, key))
}
