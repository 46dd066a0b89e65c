/** Confirms the summary of an onboarding: freezes the answers and creates the signers. */
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId, newToken } from '../../platform/ids.ts'
import { expiryAfter, mayWrite, type Onboarding, type OnboardingKey } from '../onboarding.ts'
import { findOnboarding, lockOnboarding } from '../onboarding-store.ts'
import { recordOnboardingAction } from '../record-onboarding-action.ts'
import { insertSigners } from '../signatures/onboarding-signer-store.ts'
import { documentHash, signedDocument } from '../signatures/signed-document.ts'
import { completeSections, hasCurrentTerms, type OnboardingAnswers, type SectionAnswers } from './onboarding-answers.ts'
import { readAnswers, saveAnswers } from './onboarding-answers-store.ts'
import { sectionsDone } from './onboarding-tasks.ts'

/** The result of confirming. */
export type SubmitResult =
  | { readonly outcome: 'submitted'; readonly onboarding: Onboarding }
  /** A section is missing or invalid, or the terms have changed since they were accepted. */
  | { readonly outcome: 'incomplete' }
  /** The answers were changed after the summary was shown: it must be read again. */
  | { readonly outcome: 'changed-meanwhile' }
  | { readonly outcome: 'closed' }

/** Confirms the answers of this revision. */
export async function submitOnboarding(
  context: Context,
  key: OnboardingKey,
  { revision }: Pick<Onboarding, 'revision'>,
): Promise<SubmitResult> {
  const outcome = await inTransaction(
    context,
    async (context): Promise<Exclude<SubmitResult['outcome'], 'submitted'> | null> => {
      const onboarding = await lockOnboarding(context.database, key)
      if (onboarding === undefined || !mayWrite(onboarding)) {
        return 'closed'
      }
      if (onboarding.revision !== revision) {
        return 'changed-meanwhile'
      }
      const answers = await readAnswers(context, key)
      const sections = completeSections(answers)
      if (sections === undefined || !hasCurrentTerms(answers)) {
        return 'incomplete'
      }
      await saveSubmission(context, onboarding, answers, sections)
      return null
    },
  )
  const onboarding = await findOnboarding(context.database, key)
  return outcome === null && onboarding !== undefined
    ? { outcome: 'submitted', onboarding }
    : { outcome: outcome ?? 'closed' }
}

async function saveSubmission(
  context: Context,
  onboarding: Onboarding,
  confirmed: OnboardingAnswers,
  sections: SectionAnswers,
): Promise<void> {
  const at = context.clock.now()
  const answers = { ...confirmed, documentSalt: newToken() }
  await saveAnswers(context, onboarding, {
    answers,
    at,
    expiresAt: expiryAfter(at),
    tasksDone: [...sectionsDone(answers), 'Summary'],
    submittedAt: at,
    documentHash: documentHash(signedDocument(onboarding, answers, sections)),
  })
  const { partnerId, id: onboardingId } = onboarding
  const signers = sections.Signers.signers.map((named, position) => ({
    partnerId,
    id: newId(),
    onboardingId,
    position,
    named,
    createdAt: at,
  }))
  await insertSigners(context, signers)
  await recordOnboardingAction(context, onboarding, {
    actor: 'company',
    action: 'onboarding submitted',
    signerId: null,
  })
}
