/** Expires inactive onboardings, decides fully signed ones and deletes answers of cancelled and expired ones. */
import type { Context } from '../context.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../platform/jobs/sweep-runner.ts'
import { processDueOnboarding, purgeOnboarding } from './process-due-onboarding.ts'

const LEASE_SECONDS = 60
const onboardings = {
  table: 'onboardings',
  partition: 'country_code',
  time: 'business',
  leaseSeconds: LEASE_SECONDS,
} as const

const dueSettings = { ...onboardings, name: 'onboarding deadlines', column: 'due_at' }
const purgeSettings = {
  ...onboardings,
  name: 'onboarding retention',
  column: 'purge_at',
  everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS,
}

/** The sweeps over onboardings. */
export function onboardingSweeps(context: Context): readonly Sweep[] {
  return [
    dueRowSweep(context, dueSettings, (key) => processDueOnboarding(context, key)),
    dueRowSweep(context, purgeSettings, (key) => purgeOnboarding(context, key)),
  ]
}
