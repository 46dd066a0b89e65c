/** The queries on what a company's people wrote; all of it is sealed. */
import type { Updateable } from 'kysely'
import {
  type Onboarding,
  type OnboardingKey,
  type OnboardingSecret,
  onboardingPurpose,
  type TaskType,
} from '../onboarding.ts'
import { type OnboardingTables, onboardingTables, type StoreSurroundings } from '../onboarding-tables.ts'
import { NO_ANSWERS, type OnboardingAnswers } from './onboarding-answers.ts'

/** What is known of the company; nothing before its link is opened, and after it was forgotten. */
export async function readAnswers(
  { database, seal }: StoreSurroundings,
  key: OnboardingKey,
): Promise<OnboardingAnswers> {
  const row = await onboardingTables(database)
    .selectFrom('onboardings')
    .select('answers_sealed')
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .executeTakeFirst()
  const sealed = row?.answers_sealed ?? null
  // What the seal opens was written below.
  return sealed === null ? NO_ANSWERS : JSON.parse(seal.open(sealed, onboardingPurpose('answers', key)))
}

/** What changes with a save besides the answers. */
export type AnswersSaved = {
  readonly answers: OnboardingAnswers
  readonly at: Temporal.Instant
  readonly expiresAt: Temporal.Instant
  readonly tasksDone: readonly TaskType[]
  /** Only what is not undefined is written. */
  readonly organisationName?: string | null
  readonly submittedAt?: Temporal.Instant | null
  readonly documentHash?: string | null
}

/** Saves everything and counts the revision up; false when somebody else saved since, or it is not open to its people. */
export async function saveAnswers(
  { database, seal }: StoreSurroundings,
  onboarding: Pick<Onboarding, 'partnerId' | 'id' | 'revision' | 'status'>,
  { answers, at, expiresAt, tasksDone, ...also }: AnswersSaved,
): Promise<boolean> {
  const { organisationName, submittedAt, documentHash } = also
  const { numUpdatedRows } = await onboardingTables(database)
    .updateTable('onboardings')
    .set({
      answers_sealed: sealed({ seal }, 'answers', onboarding, JSON.stringify(answers)),
      revision: onboarding.revision + 1,
      tasks_done: [...tasksDone],
      updated_at: at.toString(),
      expires_at: expiresAt.toString(),
      due_at: expiresAt.toString(),
      ...(organisationName === undefined ? {} : { organisation_name: organisationName }),
      ...(submittedAt === undefined ? {} : { submitted_at: submittedAt?.toString() ?? null }),
      ...(documentHash === undefined ? {} : { document_hash: documentHash }),
    })
    .where('partner_id', '=', onboarding.partnerId)
    .where('id', '=', onboarding.id)
    .where('revision', '=', onboarding.revision)
    .where('status', '=', onboarding.status)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Forgets what people wrote, who they are, which files they handed in, and their sessions. */
export async function forgetAnswers(
  { database }: Pick<StoreSurroundings, 'database'>,
  key: OnboardingKey,
): Promise<void> {
  const tables = onboardingTables(database)
  for (const table of ['onboarding_signers', 'onboarding_sessions', 'onboarding_documents'] as const) {
    await tables.deleteFrom(table).where('partner_id', '=', key.partnerId).where('onboarding_id', '=', key.id).execute()
  }
  await tables
    .updateTable('onboardings')
    .set({ answers_sealed: null, documents_asked_sealed: null, forget_at: null, lease_until: null })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .execute()
}

/** Which documents an operator asked for, in the operator's words; null where none are asked for. */
export async function readDocumentsAsked(
  { database, seal }: StoreSurroundings,
  key: OnboardingKey,
): Promise<string | null> {
  const row = await onboardingTables(database)
    .selectFrom('onboardings')
    .select('documents_asked_sealed')
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .executeTakeFirst()
  const words = row?.documents_asked_sealed ?? null
  return words === null ? null : seal.open(words, onboardingPurpose('documents asked', key))
}

/** Notes that everybody has signed; it falls due at once, so that it is decided whoever dies meanwhile. */
export async function noteSignaturesDone(
  database: StoreSurroundings['database'],
  { partnerId, id, tasksDone }: Pick<Onboarding, 'partnerId' | 'id' | 'tasksDone'>,
  dueAt: Temporal.Instant,
): Promise<void> {
  await onboardingTables(database)
    .updateTable('onboardings')
    .set({ tasks_done: [...tasksDone, 'Signatures'], due_at: dueAt.toString() })
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .execute()
}

/** What is asked for, and until when it must come. */
export type DocumentsAsked = { readonly words: string; readonly at: Temporal.Instant; readonly until: Temporal.Instant }

/** Notes that an operator asks for documents; false when it is not looked at by us. */
export async function askForDocuments(
  { database, seal }: StoreSurroundings,
  onboarding: Pick<Onboarding, 'partnerId' | 'id' | 'tasksDone'>,
  { words, at, until }: DocumentsAsked,
): Promise<boolean> {
  return await updateHandled(database, onboarding, {
    documents_asked_sealed: sealed({ seal }, 'documents asked', onboarding, words),
    documents_asked_at: at.toString(),
    status_reason: 'MissingDocuments',
    tasks_done: onboarding.tasksDone.filter((task) => task !== 'Documents'),
    updated_at: at.toString(),
    due_at: until.toString(),
  })
}

/** Notes that the documents were handed in; false when none are asked for. */
export async function noteDocumentsCame(
  { database }: Pick<StoreSurroundings, 'database'>,
  onboarding: Pick<Onboarding, 'partnerId' | 'id' | 'tasksDone'>,
  at: Temporal.Instant,
): Promise<boolean> {
  return await updateHandled(database, onboarding, {
    status_reason: null,
    tasks_done: [...onboarding.tasksDone, 'Documents'],
    updated_at: at.toString(),
    due_at: null,
  })
}

async function updateHandled(
  database: StoreSurroundings['database'],
  { partnerId, id }: OnboardingKey,
  changes: Updateable<OnboardingTables['onboardings']>,
): Promise<boolean> {
  const { numUpdatedRows } = await onboardingTables(database)
    .updateTable('onboardings')
    .set(changes)
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .where('status', '=', 'ManualHandling')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function sealed(
  { seal }: Pick<StoreSurroundings, 'seal'>,
  what: OnboardingSecret,
  key: OnboardingKey,
  text: string,
): Buffer {
  return seal.seal(text, onboardingPurpose(what, key))
}
