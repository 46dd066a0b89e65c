/** Deletes the personal data of a cancelled or expired onboarding; its status remains. */
import type { Context } from '../context.ts'
import { writeAuditEntry } from '../operators/write-audit-entry.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { deleteAnswers } from './answers/onboarding-answers-store.ts'
import { type OnboardingKey, RETENTION_HOURS } from './onboarding.ts'
import { lockOnboarding, setOnboardingPurgeAt } from './onboarding-store.ts'

/** Reschedules the purge when it is not due yet, e.g. after business time was set back. */
export async function purgeOnboarding(context: Context, key: OnboardingKey): Promise<void> {
  await inTransaction(context, async (context) => {
    const onboarding = await lockOnboarding(context.database, key)
    const purgeAt = onboarding?.updatedAt.add({ hours: RETENTION_HOURS })
    if (purgeAt === undefined || Temporal.Instant.compare(context.clock.now(), purgeAt) < 0) {
      await setOnboardingPurgeAt(context.database, key, purgeAt ?? null)
      return
    }
    await deleteAnswers(context, key)
    const entry = { partnerId: key.partnerId, actor: 'havn', action: 'onboarding purged' }
    await writeAuditEntry(context, { ...entry, subject: ['onboarding', key.id] })
  })
}
