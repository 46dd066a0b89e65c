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
  const { seal, clock } = context
  return await inTransaction(context.database, async (database) => {
    const onboarding = await lockOnboarding(database, key)
    if (onboarding === undefined || !maySign(onboarding)) {
      return false
    }
    const at = clock.now()
    for (const signer of currentSigners(await listSigners({ database, seal }, key))) {
      await transitionSigner({ database, seal }, signer, { status: 'Revoked', at })
      await endSessionsOfSigner(database, signer)
    }
    await recordOnboardingAction({ database, clock }, key, { actor, action: 'onboarding reopened', signerId: null })
    const answers = await readAnswers({ database, seal }, key)
    const saved = { answers, at, expiresAt: expiryAfter(at), tasksDone: sectionsDone(answers) }
    return await saveAnswers({ database, seal }, onboarding, { ...saved, submittedAt: null, documentHash: null })
  })
}
