/** Reads everything that is kept of an onboarding, names included: for its own pages, operators and the sandbox, never for partners. */
import type { Context } from '../context.ts'
import type { OnboardingAnswers } from './answers/onboarding-answers.ts'
import { readAnswers, readDocumentsAsked } from './answers/onboarding-answers-store.ts'
import type { OnboardingDocument } from './documents/onboarding-document.ts'
import { listDocuments } from './documents/onboarding-document-store.ts'
import type { Onboarding, OnboardingKey } from './onboarding.ts'
import { findOnboarding } from './onboarding-store.ts'
import type { Signer } from './signatures/onboarding-signer.ts'
import { listSigners } from './signatures/onboarding-signer-store.ts'

export type Dossier = {
  readonly onboarding: Onboarding
  readonly answers: OnboardingAnswers
  readonly signers: readonly Signer[]
  readonly documents: readonly OnboardingDocument[]
  /** What an operator asked for last, in the operator's words. */
  readonly documentsAsked: string | null
}

/** Throws when there is no such onboarding. */
export async function readDossier(
  { database, seal }: Pick<Context, 'database' | 'seal'>,
  key: OnboardingKey,
): Promise<Dossier> {
  const surroundings = { database, seal }
  const [onboarding, answers, signers, documents, documentsAsked] = await Promise.all([
    findOnboarding(database, key),
    readAnswers(surroundings, key),
    listSigners(surroundings, key),
    listDocuments(surroundings, key),
    readDocumentsAsked(surroundings, key),
  ])
  if (onboarding === undefined) {
    throw new Error(`There is no onboarding ${key.id}`)
  }
  return { onboarding, answers, signers, documents, documentsAsked }
}
