/** Cancels an onboarding for the partner, for the company's users or for an operator. */
import type { Context } from '../context.ts'
import { resolveTaskAutomatically } from '../operators/raise-task.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { changeOnboardingStatus, reviewTaskOf } from './record-onboarding.ts'
import { isOpen, type Onboarding, type OnboardingKey } from './store/onboarding.ts'
import { findOnboarding, lockOnboarding } from './store/onboarding-store.ts'

/** The onboarding after the call; one in another final status is unchanged. Throws `conflict` when it was accepted. */
export async function cancelOnboarding(context: Context, actor: string, key: OnboardingKey): Promise<Onboarding> {
  const { clock } = context
  await inTransaction(context, async (context) => {
    const onboarding = await lockOnboarding(context.database, key)
    if (onboarding === undefined || !isOpen(onboarding)) {
      return
    }
    const cancelled = { status: 'Cancelled', statusReason: null, at: clock.now() } as const
    await changeOnboardingStatus(context, onboarding, cancelled, { actor })
    await resolveTaskAutomatically(context, reviewTaskOf(onboarding), 'cancelled')
  })
  const onboarding = await findOnboarding(context.database, key)
  if (onboarding === undefined) {
    throw apiError('ONBOARDING_NOT_FOUND', 'There is no onboarding with this id')
  }
  if (onboarding.status === 'Accepted') {
    throw apiError('conflict', 'The onboarding was accepted and can no longer be cancelled')
  }
  return onboarding
}
