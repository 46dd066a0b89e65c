/** Expires inactive onboardings, decides fully signed ones and deletes answers of cancelled and expired ones. */
import type { Context } from '../context.ts'
import { writeAuditEntry } from '../operators/audit-log.ts'
import { resolveTaskAutomatically } from '../operators/raise-task.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../platform/jobs/sweep-runner.ts'
import { decideOnboarding, isFullySigned } from './decision/decide-onboarding.ts'
import { changeOnboardingStatus, reviewTaskOf } from './record-onboarding.ts'
import {
  DOCUMENTS_WITHIN_HOURS,
  type Onboarding,
  type OnboardingKey,
  type OnboardingTransition,
  RETENTION_HOURS,
} from './store/onboarding.ts'
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

/** Reschedules the onboarding when it is not due yet, e.g. after business time was set back. */
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
    const dueAt = isFullySigned(decided) ? context.clock.now().add(REGISTRY_RETRY_INTERVAL) : dueAtOf(decided)
    await updateOnboarding(context.database, decided, { dueAt, leaseUntil: null })
  }
}

async function expireOrReschedule(context: Context, onboarding: Onboarding): Promise<void> {
  const { database, clock } = context
  const dueAt = dueAtOf(onboarding)
  const at = clock.now()
  if (dueAt === null || Temporal.Instant.compare(at, dueAt) < 0) {
    await updateOnboarding(database, onboarding, { dueAt, leaseUntil: null })
    return
  }
  await changeOnboardingStatus(context, onboarding, { ...expiryStatus(onboarding), at })
  await resolveTaskAutomatically(context, reviewTaskOf(onboarding), 'the documents did not come in time')
}

/** The final status of an onboarding that expires. */
function expiryStatus({ status, submittedAt }: Onboarding): Pick<OnboardingTransition, 'status' | 'statusReason'> {
  return status === 'ManualHandling'
    ? { status: 'Rejected', statusReason: 'MissingDocuments' }
    : { status: 'Expired', statusReason: submittedAt === null ? null : 'SignatureExpired' }
}

/** When the onboarding expires or its documents are due; null without a deadline. */
function dueAtOf({ status, statusReason, documentsRequestedAt, expiresAt }: Onboarding): Temporal.Instant | null {
  if (status !== 'ManualHandling') {
    return expiresAt
  }
  const isWaiting = statusReason === 'MissingDocuments' && documentsRequestedAt !== null
  return isWaiting ? documentsRequestedAt.add({ hours: DOCUMENTS_WITHIN_HOURS }) : null
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
    const entry = { partnerId: key.partnerId, actor: 'havn', action: 'onboarding purged' }
    await writeAuditEntry(context, { ...entry, subject: ['onboarding', key.id] })
  })
}
