/** Calls an onboarding off: for the partner, for the company's own people, or for an operator. */
import type { Context } from '../context.ts'
import { settleTask } from '../operators/raise-task.ts'
import { atomically } from '../platform/database/in-transaction.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { isOpen, type Onboarding, type OnboardingKey } from './onboarding.ts'
import { findOnboarding, lockOnboarding, moveOnboarding } from './onboarding-store.ts'
import { noteMove } from './record-onboarding-transition.ts'

/** The onboarding afterwards; one that has ended otherwise stays so. Throws `conflict` when it was accepted. */
export async function cancelOnboarding(context: Context, actor: string, key: OnboardingKey): Promise<Onboarding> {
  const { clock } = context
  await atomically(context.database, async (database) => {
    const onboarding = await lockOnboarding(database, key)
    if (onboarding === undefined || !isOpen(onboarding)) {
      return
    }
    const cancelled = { status: 'Cancelled', statusReason: null, at: clock.now() } as const
    await moveOnboarding(database, onboarding, cancelled)
    await noteMove({ database, clock }, onboarding, cancelled, actor)
    const { partnerId, id: subjectId } = onboarding
    const task = { partnerId, kind: 'OnboardingToReview', subjectType: 'onboarding', subjectId } as const
    await settleTask({ database, clock }, task, 'cancelled')
  })
  const onboarding = await findOnboarding(context.database, key)
  if (onboarding === undefined) {
    throw refuse('ONBOARDING_NOT_FOUND', 'There is no onboarding with this id')
  }
  if (onboarding.status === 'Accepted') {
    throw refuse('conflict', 'The onboarding was accepted: it cannot be changed any more')
  }
  return onboarding
}
