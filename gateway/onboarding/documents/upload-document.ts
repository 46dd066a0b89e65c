/** Stores the documents that an operator requested, and records when the upload is complete. */
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { raiseReviewTask, recordOnboardingAction } from '../record-onboarding.ts'
import { mayUploadDocuments, type Onboarding, type OnboardingKey } from '../store/onboarding.ts'
import { recordDocumentsReceived } from '../store/onboarding-answers-store.ts'
import {
  DOCUMENT_BYTES_MAX,
  DOCUMENTS_MAX,
  documentName,
  documentTypeOf,
  type OnboardingDocument,
} from '../store/onboarding-document.ts'
import { insertDocument, listDocuments } from '../store/onboarding-document-store.ts'
import { lockOnboarding } from '../store/onboarding-store.ts'

/** An uploaded file; its media type is detected, not taken from the request. */
export type DocumentFile = { readonly name: string; readonly content: Buffer }

export type UploadResult =
  | { readonly outcome: 'kept'; readonly document: OnboardingDocument }
  | { readonly outcome: 'rejected'; readonly fault: 'missing' | 'too-large' | 'too-many' | 'wrong-kind' }
  /** No documents are requested. */
  | { readonly outcome: 'closed' }

/** Validates and stores a file. */
export async function uploadDocument(context: Context, key: OnboardingKey, file: DocumentFile): Promise<UploadResult> {
  return await whileRequested<UploadResult>(context, key, { outcome: 'closed' }, async (context, onboarding) => {
    const mediaType = documentTypeOf(file.content)
    if (file.content.length === 0) {
      return { outcome: 'rejected', fault: 'missing' }
    }
    if (file.content.length > DOCUMENT_BYTES_MAX) {
      return { outcome: 'rejected', fault: 'too-large' }
    }
    if (mediaType === undefined) {
      return { outcome: 'rejected', fault: 'wrong-kind' }
    }
    if ((await listRequestedDocuments(context, onboarding)).length >= DOCUMENTS_MAX) {
      return { outcome: 'rejected', fault: 'too-many' }
    }
    const document = {
      partnerId: onboarding.partnerId,
      id: newId(),
      onboardingId: onboarding.id,
      name: documentName(file.name),
      mediaType,
      bytes: file.content.length,
      uploadedAt: context.clock.now(),
    }
    await insertDocument(context, document, file.content)
    return { outcome: 'kept', document }
  })
}

/** Completes the upload and raises a task for operators. False when no file was uploaded, or none is requested. */
export async function completeDocuments(context: Context, key: OnboardingKey, actor = 'company'): Promise<boolean> {
  return await whileRequested(context, key, false, async (context, onboarding) => {
    const documents = await listRequestedDocuments(context, onboarding)
    if (documents.length === 0) {
      return false
    }
    await recordDocumentsReceived(context, onboarding, context.clock.now())
    const { length: files } = documents
    await recordOnboardingAction(context, onboarding, { actor, action: 'documents handed in', detail: { files } })
    await raiseReviewTask(context, onboarding, 'The company uploaded documents.', { documents: 'uploaded', files })
    return true
  })
}

/** Documents uploaded since the latest request; earlier ones do not answer it. */
export async function listRequestedDocuments(
  context: Context,
  onboarding: Onboarding,
): Promise<readonly OnboardingDocument[]> {
  const { documentsRequestedAt } = onboarding
  const documents = await listDocuments(context, onboarding)
  return documents.filter(
    ({ uploadedAt }) =>
      documentsRequestedAt !== null && Temporal.Instant.compare(uploadedAt, documentsRequestedAt) >= 0,
  )
}

async function whileRequested<Result>(
  context: Context,
  key: OnboardingKey,
  closed: Result,
  run: (context: Context, onboarding: Onboarding) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(context, async (context) => {
    const onboarding = await lockOnboarding(context.database, key)
    return onboarding !== undefined && mayUploadDocuments(onboarding) ? await run(context, onboarding) : closed
  })
}
