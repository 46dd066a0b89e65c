/** Lets a company's people change what they had confirmed: signatures given so far and links of signers are void. */
import type { Context } from '../../context.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import { expiryAfter, maySign, type OnboardingKey } from '../onboarding.ts'
import { lockOnboarding } from '../onboarding-store.ts'
import { noteStep } from '../record-onboarding-action.ts'
import { endSessionsOfSigner } from '../sessions/onboarding-session-store.ts'
import { currentSigners } from '../signatures/onboarding-signer.ts'
import { listSigners, moveSigner } from '../signatures/onboarding-signer-store.ts'
import { readAnswers, saveAnswers } from './onboarding-answers-store.ts'
import { sectionsDone } from './onboarding-tasks.ts'

/** False when nothing is being signed. */
export async function reopenAnswers(context: Context, actor: string, key: OnboardingKey): Promise<boolean> {
  const { seal, clock } = context
  return await atomically(context.database, async (database) => {
    const onboarding = await lockOnboarding(database, key)
    if (onboarding === undefined || !maySign(onboarding)) {
      return false
    }
    const at = clock.now()
    for (const signer of currentSigners(await listSigners({ database, seal }, key))) {
      await moveSigner({ database, seal }, signer, { status: 'Revoked', at })
      await endSessionsOfSigner(database, signer)
    }
    await noteStep({ database, clock }, key, { actor, action: 'onboarding reopened', signerId: null })
    const answers = await readAnswers({ database, seal }, key)
    const saved = { answers, at, expiresAt: expiryAfter(at), tasksDone: sectionsDone(answers) }
    return await saveAnswers({ database, seal }, onboarding, { ...saved, submittedAt: null, documentHash: null })
  })
}
