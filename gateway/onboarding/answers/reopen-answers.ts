/** Reopens confirmed answers for changes; revokes all signatures and signer links. */
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { expiryAfter, maySign, type OnboardingKey } from '../onboarding.ts'
import { lockOnboarding } from '../onboarding-store.ts'
import { recordOnboardingAction } from '../record-onboarding-action.ts'
import { endSessionsOfSigner } from '../sessions/onboarding-session-store.ts'
import { currentSigners } from '../signatures/onboarding-signer.ts'
import { listSigners, transitionSigner } from '../signatures/onboarding-signer-store.ts'
import { readAnswers, saveAnswers } from './onboarding-answers-store.ts'
import { sectionsDone } from './onboarding-tasks.ts'

/** False when the onboarding does not await signatures. */
export async function reopenAnswers(context: Context, actor: string, key: OnboardingKey): Promise<boolean> {
  const { clock } = context
  return await inTransaction(context, async (context) => {
    const onboarding = await lockOnboarding(context.database, key)
    if (onboarding === undefined || !maySign(onboarding)) {
      return false
    }
    const at = clock.now()
    for (const signer of currentSigners(await listSigners(context, key))) {
      await transitionSigner(context, signer, { status: 'Revoked', at })
      await endSessionsOfSigner(context.database, signer)
    }
    await recordOnboardingAction(context, key, { actor, action: 'onboarding reopened', signerId: null })
    const answers = await readAnswers(context, key)
    const saved = { answers, at, expiresAt: expiryAfter(at), tasksDone: sectionsDone(answers) }
    return await saveAnswers(context, onboarding, { ...saved, submittedAt: null, documentHash: null })
  })
}
