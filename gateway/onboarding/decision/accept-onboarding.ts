/** Accepts an onboarding in one transaction: enables payments for the company and cancels its other onboardings. */

import { lockForOnboarding, onboardCompany } from '../../companies/onboard-company.ts'
import type { Context } from '../../context.ts'
import { resolveTaskAutomatically } from '../../operators/raise-task.ts'
import { recordOnboardingTransition } from '../record-onboarding.ts'
import type { Onboarding } from '../store/onboarding.ts'
import { lockOpenOnboardingsOf, transitionOnboarding } from '../store/onboarding-store.ts'

/** Accepts in the caller's transaction; false when the status has changed, or the company may already pay. */
export async function acceptOnboarding(
  surroundings: Context,
  actor: string,
  onboarding: Pick<Onboarding, 'partnerId' | 'id' | 'status' | 'countryCode' | 'organisationNumber'>,
  name: string,
): Promise<boolean> {
  const { database, clock } = surroundings
  const at = clock.now()
  const open = await lockOpenOnboardingsOf(database, onboarding)
  const own = open.find(({ id }) => id === onboarding.id)
  const locked = await lockForOnboarding(database, onboarding)
  if (own?.status !== onboarding.status || locked === null) {
    return false
  }
  const accepted = { status: 'Accepted', statusReason: null, at } as const
  if (!(await transitionOnboarding(database, own, accepted))) {
    return false
  }
  await recordOnboardingTransition(surroundings, own, accepted, actor)
  await onboardCompany(surroundings, own, locked.company, { actor, onboardingId: own.id, name })
  for (const other of open.filter(({ id }) => id !== own.id)) {
    const cancelled = { status: 'Cancelled', statusReason: null, at } as const
    await transitionOnboarding(database, other, cancelled)
    await recordOnboardingTransition(surroundings, other, cancelled, actor)
    const task = { kind: 'OnboardingToReview', subjectType: 'onboarding', subjectId: other.id } as const
    await resolveTaskAutomatically(
      surroundings,
      { ...task, partnerId: other.partnerId },
      'another onboarding of it was accepted',
    )
  }
  return true
}
