/** Sees to an onboarding whose time has come: decided if everybody has signed, ended if nobody touched it. */
import type { Context } from '../context.ts'
import { settleTask } from '../operators/raise-task.ts'
import { atomically, type Queryable } from '../platform/database/in-transaction.ts'
import type { RegistryContext } from '../registries/registry-context.ts'
import { decideOnboarding, isReady } from './decide-onboarding.ts'
import { DOCUMENTS_WITHIN_HOURS, type Onboarding, type OnboardingKey, type OnboardingMove } from './onboarding.ts'
import { lockOnboarding, moveOnboarding, setOnboardingDue } from './onboarding-store.ts'
import { noteMove } from './record-onboarding-transition.ts'

/** What everybody has signed waits this long for a registry that does not answer, again and again. */
const ASK_REGISTRY_EVERY = { minutes: 5 }

/** Whatever is not due after all waits on. */
export async function lookAtDue(context: RegistryContext, key: OnboardingKey): Promise<void> {
  const isDecided = await atomically(context.database, async (database) => {
    const onboarding = await lockOnboarding(database, key)
    if (onboarding === undefined || isReady(onboarding)) {
      return onboarding !== undefined
    }
    await endOrWait({ ...context, database }, onboarding)
    return false
  })
  if (isDecided) {
    const decided = await decideOnboarding(context, key)
    await setOnboardingDue(context.database, decided, isReady(decided) ? askAgainAt(context) : dueAtOf(decided))
  }
}

async function endOrWait(
  surroundings: Pick<Context, 'clock'> & { readonly database: Queryable },
  onboarding: Onboarding,
): Promise<void> {
  const { database, clock } = surroundings
  const dueAt = dueAtOf(onboarding)
  const at = clock.now()
  if (dueAt === null || Temporal.Instant.compare(at, dueAt) < 0) {
    await setOnboardingDue(database, onboarding, dueAt)
    return
  }
  const end = { ...endOf(onboarding), at }
  await moveOnboarding(database, onboarding, end)
  await noteMove(surroundings, onboarding, end)
  const { partnerId, id: subjectId } = onboarding
  const task = { partnerId, kind: 'OnboardingToReview', subjectType: 'onboarding', subjectId } as const
  await settleTask(surroundings, task, 'the documents did not come in time')
}

function askAgainAt({ clock }: Pick<Context, 'clock'>): Temporal.Instant {
  return clock.now().add(ASK_REGISTRY_EVERY)
}

/** What it comes to when its time is over. */
function endOf({ status, submittedAt }: Onboarding): Pick<OnboardingMove, 'status' | 'statusReason'> {
  return status === 'ManualHandling'
    ? { status: 'Rejected', statusReason: 'MissingDocuments' }
    : { status: 'Expired', statusReason: submittedAt === null ? null : 'SignatureExpired' }
}

/** When it is over by what is kept; null while nothing runs out. */
function dueAtOf({ status, statusReason, documentsAskedAt, expiresAt }: Onboarding): Temporal.Instant | null {
  if (status !== 'ManualHandling') {
    return expiresAt
  }
  const isWaiting = statusReason === 'MissingDocuments' && documentsAskedAt !== null
  return isWaiting ? documentsAskedAt.add({ hours: DOCUMENTS_WITHIN_HOURS }) : null
}
