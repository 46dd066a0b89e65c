/** Expires inactive onboardings, decides fully signed ones and deletes answers of cancelled and expired ones. */
import type { Context } from '../context.ts'
import { raiseTask } from '../operators/raise-task.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../platform/jobs/sweep-runner.ts'
import { decideOnboarding } from './decision/decide-onboarding.ts'
import { expireOrReschedule } from './expire-onboarding.ts'
import { recordOnboardingAction, reviewTaskOf } from './record-onboarding.ts'
import { dueAtOf, isFullySigned, type Onboarding, type OnboardingKey, RETENTION_HOURS } from './store/onboarding.ts'
import { deleteAnswers } from './store/onboarding-answers-store.ts'
import { lockOnboarding, updateOnboarding } from './store/onboarding-store.ts'

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

/** How long a fully signed onboarding waits before the next attempt when the registry does not answer. */
const REGISTRY_RETRY_INTERVAL = { minutes: 5 }

/** Decides a fully signed onboarding, and expires or reschedules any other. */
async function processDueOnboarding(context: Context, key: OnboardingKey): Promise<void> {
  const isDecided = await inTransaction(context, async (context) => {
    const onboarding = await lockOnboarding(context.database, key)
    if (onboarding === undefined || isFullySigned(onboarding)) {
      return onboarding !== undefined
    }
    await expireOrReschedule(context, onboarding)
    return false
  })
  if (isDecided) {
    const decided = await decideOnboarding(context, key)
    const isUndecided = isFullySigned(decided)
    await (isUndecided && raiseUndecidedTask(context, decided))
    const dueAt = isUndecided ? context.clock.now().add(REGISTRY_RETRY_INTERVAL) : dueAtOf(decided)
    await updateOnboarding(context.database, decided, { dueAt, leaseUntil: null })
  }
}

/** Once the time of the company is over, about a day after the last signature. */
async function raiseUndecidedTask(context: Context, onboarding: Onboarding): Promise<void> {
  const { expiresAt } = onboarding
  if (expiresAt !== null && Temporal.Instant.compare(context.clock.now(), expiresAt) >= 0) {
    const why = 'All have signed, and the company registry does not answer. It is decided once that answers.'
    await raiseTask(context, { ...reviewTaskOf(onboarding), detail: { why } })
  }
}

/** Reschedules the purge when it is not due yet, e.g. after business time was set back. */
async function purgeOnboarding(context: Context, key: OnboardingKey): Promise<void> {
  await inTransaction(context, async (context) => {
    const onboarding = await lockOnboarding(context.database, key)
    const purgeAt = onboarding?.updatedAt.add({ hours: RETENTION_HOURS })
    if (purgeAt === undefined || Temporal.Instant.compare(context.clock.now(), purgeAt) < 0) {
      await updateOnboarding(context.database, key, { purgeAt: purgeAt ?? null, leaseUntil: null })
      return
    }
    await deleteAnswers(context, key)
    await recordOnboardingAction(context, key, { actor: 'havn', action: 'onboarding purged' })
  })
}
