/** Expires an onboarding whose deadline has passed, in the sweep or at a visit that comes before it; earlier visits extend it. */
import type { Context } from '../context.ts'
import { resolveTaskAutomatically } from '../operators/raise-task.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { completeDocuments } from './documents/upload-document.ts'
import { changeOnboardingStatus, reviewTaskOf } from './record-onboarding.ts'
import { dueAtOf, isOverdue, type Onboarding, type OnboardingTransition } from './store/onboarding.ts'
import { extendOnboarding, lockOnboarding, requireOnboarding, updateOnboarding } from './store/onboarding-store.ts'

/** Every request of a user to the hosted pages extends an onboarding that awaits the company; returns it as it is then. */
export async function recordVisit(context: Context, onboarding: Onboarding): Promise<Onboarding> {
  const current = await expireIfOverdue(context, onboarding)
  return (await extendOnboarding(context.database, current, context.clock.now())) ?? current
}

/** The onboarding as it is now: a visit after the deadline revives none. Call outside of transactions. */
export async function expireIfOverdue(context: Context, onboarding: Onboarding): Promise<Onboarding> {
  if (!isOverdue(onboarding, context.clock.now())) {
    return onboarding
  }
  await inTransaction(context, async (context) => {
    const locked = await lockOnboarding(context.database, onboarding)
    if (locked !== undefined && isOverdue(locked, context.clock.now())) {
      await expireOrReschedule(context, locked)
    }
  })
  return await requireOnboarding(context.database, onboarding)
}

/**
 * Expires a locked onboarding, or reschedules it when it is not due yet, e.g. after business time was set back. Documents
 * that were uploaded in time are reviewed, although the company did not say that they are all.
 */
export async function expireOrReschedule(context: Context, onboarding: Onboarding): Promise<void> {
  const { database, clock } = context
  const at = clock.now()
  if (!isOverdue(onboarding, at)) {
    await updateOnboarding(database, onboarding, { dueAt: dueAtOf(onboarding), leaseUntil: null })
    return
  }
  if (await completeDocuments(context, onboarding, 'havn')) {
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
