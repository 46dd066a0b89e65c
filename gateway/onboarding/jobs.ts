/** Ends onboardings that nobody touches, decides those that everybody has signed, forgets those that came to nothing. */
import { dueSweep } from '../foundation/due-sweep.ts'
import type { Sweep } from '../foundation/sweep.ts'
import { NOBODY_WAITS_MILLISECONDS } from '../platform/jobs/sweep-runner.ts'
import type { RegistryContext } from '../registries/registry-context.ts'
import { forgetOnboarding } from './forget-onboarding.ts'
import { lookAtDue } from './process-due-onboarding.ts'

const LEASE_SECONDS = 60
const onboardings = {
  table: 'onboardings',
  share: 'country_code',
  time: 'business',
  leaseSeconds: LEASE_SECONDS,
} as const

const expiring = { ...onboardings, name: 'onboardings due', column: 'due_at' }
const forgetting = {
  ...onboardings,
  name: 'onboardings forgetting',
  column: 'forget_at',
  everyMilliseconds: NOBODY_WAITS_MILLISECONDS,
}

/** The sweeps over onboardings. */
export function onboardingSweeps(context: RegistryContext): readonly Sweep[] {
  return [
    dueSweep(context, expiring, (key) => lookAtDue(context, key)),
    dueSweep(context, forgetting, (key) => forgetOnboarding(context, key)),
  ]
}
