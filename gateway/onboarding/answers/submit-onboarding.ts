/** Takes the summary as confirmed: what was written stands still from then on, and its signers may sign. */
import type { Context } from '../../context.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { expiryAfter, mayWrite, type Onboarding, type OnboardingKey } from '../onboarding.ts'
import { findOnboarding, lockOnboarding } from '../onboarding-store.ts'
import { noteStep } from '../record-onboarding-action.ts'
import { insertSigners } from '../signatures/onboarding-signer-store.ts'
import { documentHash, signedDocument } from '../signatures/signed-document.ts'
import { completeSections, hasTodaysTerms, type OnboardingAnswers, type SectionAnswers } from './onboarding-answers.ts'
import { readAnswers, saveAnswers } from './onboarding-answers-store.ts'
import { sectionsDone } from './onboarding-tasks.ts'

/** What came of confirming. */
export type Submitted =
  | { readonly outcome: 'submitted'; readonly onboarding: Onboarding }
  /** A section is missing, or was typed in part; or the terms have changed since they were accepted. */
  | { readonly outcome: 'incomplete' }
  /** Somebody saved since the summary was shown: it is to be read anew. */
  | { readonly outcome: 'changed-meanwhile' }
  | { readonly outcome: 'closed' }

/** Confirms what the summary of this revision showed. */
export async function submitOnboarding(
  context: Context,
  key: OnboardingKey,
  { revision }: Pick<Onboarding, 'revision'>,
): Promise<Submitted> {
  const { seal } = context
  const outcome = await atomically(
    context.database,
    async (database): Promise<Exclude<Submitted['outcome'], 'submitted'> | null> => {
      const onboarding = await lockOnboarding(database, key)
      if (onboarding === undefined || !mayWrite(onboarding)) {
        return 'closed'
      }
      if (onboarding.revision !== revision) {
        return 'changed-meanwhile'
      }
      const answers = await readAnswers({ database, seal }, key)
      const sections = completeSections(answers)
      if (sections === undefined || !hasTodaysTerms(answers)) {
        return 'incomplete'
      }
      await keep({ ...context, database }, onboarding, answers, sections)
      return null
    },
  )
  const onboarding = await findOnboarding(context.database, key)
  return outcome === null && onboarding !== undefined
    ? { outcome: 'submitted', onboarding }
    : { outcome: outcome ?? 'closed' }
}

type Surroundings = Pick<Context, 'seal' | 'clock'> & { readonly database: Parameters<typeof lockOnboarding>[0] }

async function keep(
  surroundings: Surroundings,
  onboarding: Onboarding,
  answers: OnboardingAnswers,
  sections: SectionAnswers,
): Promise<void> {
  const at = surroundings.clock.now()
  await saveAnswers(surroundings, onboarding, {
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
  await insertSigners(surroundings, signers)
  await noteStep(surroundings, onboarding, { actor: 'company', action: 'onboarding submitted', signerId: null })
}
