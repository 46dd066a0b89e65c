/** Forgets what people wrote in an onboarding that came to nothing; that there was one, and how it ended, stays. */
import type { Context } from '../context.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import { atomically } from '../platform/database/in-transaction.ts'
import { forgetAnswers } from './answers/onboarding-answers-store.ts'
import { FORGET_AFTER_HOURS, type OnboardingKey } from './onboarding.ts'
import { lockOnboarding, setOnboardingForgotten } from './onboarding-store.ts'

/** One whose time has not come, after business time went back, waits on. */
export async function forgetOnboarding({ database, clock }: Context, key: OnboardingKey): Promise<void> {
  await atomically(database, async (within) => {
    const onboarding = await lockOnboarding(within, key)
    const forgetAt = onboarding?.updatedAt.add({ hours: FORGET_AFTER_HOURS })
    if (forgetAt === undefined || Temporal.Instant.compare(clock.now(), forgetAt) < 0) {
      await setOnboardingForgotten(within, key, forgetAt ?? null)
      return
    }
    await forgetAnswers({ database: within }, key)
    const entry = { partnerId: key.partnerId, actor: 'havn', action: 'onboarding forgotten' }
    await writeAudit({ database: within, clock }, { ...entry, subject: ['onboarding', key.id] })
  })
}
