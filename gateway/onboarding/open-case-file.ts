/** Opens the case file of an onboarding for an operator and records the access to personal data in the audit log. */
import type { Context } from '../context.ts'
import { recordOnboardingAction } from './record-onboarding.ts'
import type { Onboarding, OnboardingKey } from './store/onboarding.ts'
import type { OnboardingAnswers } from './store/onboarding-answers.ts'
import { readAnswers, readDocumentRequest } from './store/onboarding-answers-store.ts'
import type { OnboardingDocument } from './store/onboarding-document.ts'
import { listDocuments, readDocument } from './store/onboarding-document-store.ts'
import type { Signer } from './store/onboarding-signer.ts'
import { listSigners } from './store/onboarding-signer-store.ts'
import { findOnboardingAcrossPartners, requireOnboarding } from './store/onboarding-store.ts'

/** The case file of the onboarding with this id. Throws when there is none. */
export async function openCaseFile(context: Context, actor: string, id: string): Promise<CaseFile> {
  const key = await findOnboardingAcrossPartners(context.database, id)
  if (key === undefined) {
    throw new Error(`There is no onboarding ${id}`)
  }
  await recordOnboardingAction(context, key, { actor, action: 'onboarding looked at' })
  return await readCaseFile(context, key)
}

/** The uploaded documents of an onboarding, oldest first. */
export async function listUploadedDocuments(
  context: Context,
  key: OnboardingKey,
): Promise<readonly OnboardingDocument[]> {
  return await listDocuments(context, key)
}

/** The content of an uploaded document, which is recorded like the access to the case file. Throws when it has been deleted. */
export async function readUploadedDocument(
  context: Context,
  actor: string,
  document: Pick<OnboardingDocument, 'partnerId' | 'id' | 'onboardingId'>,
): Promise<Buffer> {
  const { partnerId, id: documentId, onboardingId: id } = document
  const entry = { actor, action: 'onboarding document read' as const, detail: { documentId } }
  await recordOnboardingAction(context, { partnerId, id }, entry)
  const content = await readDocument(context, document)
  if (content === undefined) {
    throw new Error(`The document ${documentId} has been deleted`)
  }
  return content
}

export type CaseFile = {
  readonly onboarding: Onboarding
  readonly answers: OnboardingAnswers
  readonly signers: readonly Signer[]
  readonly documents: readonly OnboardingDocument[]
  /** The operator's latest document request, as the operator wrote it. */
  readonly documentRequest: string | null
}

/** Throws when there is no such onboarding. */
export async function readCaseFile(context: Context, key: OnboardingKey): Promise<CaseFile> {
  const [onboarding, answers, signers, documents, documentRequest] = await Promise.all([
    requireOnboarding(context.database, key),
    readAnswers(context, key),
    listSigners(context, key),
    listDocuments(context, key),
    readDocumentRequest(context, key),
  ])
  return { onboarding, answers, signers, documents, documentRequest }
}
