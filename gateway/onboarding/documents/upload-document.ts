/** Takes the files that an operator asked for: one by one, and then the word that these are all. */
import type { Context } from '../../context.ts'
import { raiseTask } from '../../operators/raise-task.ts'
import { writeAudit } from '../../operators/write-audit-entry.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { noteDocumentsCame } from '../answers/onboarding-answers-store.ts'
import { mayHandIn, type Onboarding, type OnboardingKey } from '../onboarding.ts'
import { lockOnboarding } from '../onboarding-store.ts'
import {
  DOCUMENT_BYTES_MAX,
  DOCUMENTS_MAX,
  documentName,
  documentTypeOf,
  type OnboardingDocument,
} from './onboarding-document.ts'
import { insertDocument, listDocuments } from './onboarding-document-store.ts'

/** A file as it was sent; what the sender says of its kind is not believed. */
export type FileSent = { readonly name: string; readonly content: Buffer }

/** What came of handing a file in. */
export type HandedIn =
  | { readonly outcome: 'kept'; readonly document: OnboardingDocument }
  | { readonly outcome: 'refused'; readonly fault: 'missing' | 'too-large' | 'too-many' | 'wrong-kind' }
  /** No documents are asked for at present. */
  | { readonly outcome: 'closed' }

/** Keeps a file. */
export async function handInDocument(context: Context, key: OnboardingKey, file: FileSent): Promise<HandedIn> {
  const { seal, clock } = context
  return await whileAsked<HandedIn>(context, key, { outcome: 'closed' }, async (database, onboarding) => {
    const mediaType = documentTypeOf(file.content)
    if (file.content.length === 0) {
      return { outcome: 'refused', fault: 'missing' }
    }
    if (file.content.length > DOCUMENT_BYTES_MAX) {
      return { outcome: 'refused', fault: 'too-large' }
    }
    if (mediaType === undefined) {
      return { outcome: 'refused', fault: 'wrong-kind' }
    }
    if ((await listThisRound({ database, seal }, onboarding)).length >= DOCUMENTS_MAX) {
      return { outcome: 'refused', fault: 'too-many' }
    }
    const document = {
      partnerId: onboarding.partnerId,
      id: newId(),
      onboardingId: onboarding.id,
      name: documentName(file.name),
      mediaType,
      bytes: file.content.length,
      uploadedAt: clock.now(),
    }
    await insertDocument({ database, seal }, document, file.content)
    return { outcome: 'kept', document }
  })
}

/** Says that these are all: an operator looks at them. False when there is none, or none are asked for. */
export async function finishDocuments(context: Context, key: OnboardingKey): Promise<boolean> {
  const { seal, clock, log } = context
  return await whileAsked(context, key, false, async (database, onboarding) => {
    const documents = await listThisRound({ database, seal }, onboarding)
    if (documents.length === 0) {
      return false
    }
    await noteDocumentsCame({ database }, onboarding, clock.now())
    const { partnerId, id: subjectId } = onboarding
    const entry = { partnerId, actor: 'company', action: 'documents handed in', detail: { files: documents.length } }
    await writeAudit({ database, clock }, { ...entry, subject: ['onboarding', subjectId] })
    const task = { partnerId, kind: 'OnboardingToReview', subjectType: 'onboarding', subjectId } as const
    await raiseTask({ database, clock, log }, { ...task, detail: { why: 'Documents came.', files: documents.length } })
    return true
  })
}

/** What came since an operator asked last: an earlier round is no answer to this one. */
async function listThisRound(
  surroundings: Parameters<typeof listDocuments>[0],
  onboarding: Onboarding,
): Promise<readonly OnboardingDocument[]> {
  const { documentsAskedAt } = onboarding
  const documents = await listDocuments(surroundings, onboarding)
  return documents.filter(
    ({ uploadedAt }) => documentsAskedAt !== null && Temporal.Instant.compare(uploadedAt, documentsAskedAt) >= 0,
  )
}

async function whileAsked<Result>(
  { database }: Pick<Context, 'database'>,
  key: OnboardingKey,
  closed: Result,
  carryOut: (database: Parameters<typeof lockOnboarding>[0], onboarding: Onboarding) => Promise<Result>,
): Promise<Result> {
  return await atomically(database, async (within) => {
    const onboarding = await lockOnboarding(within, key)
    return onboarding !== undefined && mayHandIn(onboarding) ? await carryOut(within, onboarding) : closed
  })
}
