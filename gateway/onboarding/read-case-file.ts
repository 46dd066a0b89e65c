/** Reads an onboarding with all personal data, for the hosted pages, operators and the sandbox; never for partners. */
import type { Context } from '../context.ts'
import type { OnboardingAnswers } from './answers/onboarding-answers.ts'
import { readAnswers, readDocumentRequest } from './answers/onboarding-answers-store.ts'
import type { OnboardingDocument } from './documents/onboarding-document.ts'
import { listDocuments } from './documents/onboarding-document-store.ts'
import type { Onboarding, OnboardingKey } from './onboarding.ts'
import { findOnboarding } from './onboarding-store.ts'
import type { Signer } from './signatures/onboarding-signer.ts'
import { listSigners } from './signatures/onboarding-signer-store.ts'

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
    findOnboarding(context.database, key),
    readAnswers(context, key),
    listSigners(context, key),
    listDocuments(context, key),
    readDocumentRequest(context, key),
  ])
  if (onboarding === undefined) {
    throw new Error(`There is no onboarding ${key.id}`)
  }
  return { onboarding, answers, signers, documents, documentRequest }
}
