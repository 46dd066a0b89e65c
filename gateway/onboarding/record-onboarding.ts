/** Records what happens to an onboarding: changes of its status with their events, and the actions of persons. */

import { onboardingEventTypes } from '../../contract/webhooks/event-types.ts'
import type { Context } from '../context.ts'
import { type AuditEntry, writeAuditEntry } from '../operators/audit-log.ts'
import { addTaskDetail, raiseTask } from '../operators/raise-task.ts'
import { enqueueSelectedEvents } from '../webhooks/events/enqueue-selected-events.ts'
import type { Onboarding, OnboardingKey, OnboardingTransition } from './store/onboarding.ts'
import { transitionOnboarding } from './store/onboarding-store.ts'

/**
 * Writes the entry in the audit log, in the transaction of the action. The actor is `company` for users of the company's
 * link, `signer <id>`, `client <id>`, `operator <name>`, or `havn`.
 */
export async function recordOnboardingAction(
  context: Context,
  { partnerId, id }: OnboardingKey,
  entry: Pick<AuditEntry, 'actor' | 'action' | 'detail'>,
): Promise<void> {
  await writeAuditEntry(context, { ...entry, partnerId, subject: ['onboarding', id] })
}

/** The actor name in the audit log for the user of a link. */
export function actorOf({ signerId }: { readonly signerId: string | null }): string {
  return signerId === null ? 'company' : `signer ${signerId}`
}

/**
 * Changes the status in the caller's transaction, with an audit entry and an event. False, and nothing is recorded, when it
 * was changed concurrently or the change is not allowed.
 */
export async function changeOnboardingStatus(
  context: Context,
  onboarding: Pick<Onboarding, 'partnerId' | 'id' | 'status'>,
  next: OnboardingTransition,
  { actor = 'havn', expiresAt }: { readonly actor?: string; readonly expiresAt?: Temporal.Instant } = {},
): Promise<boolean> {
  if (!(await transitionOnboarding(context.database, onboarding, next, expiresAt))) {
    return false
  }
  const { partnerId, id, status: from } = onboarding
  const { status: to, statusReason: reason, at } = next
  const detail = { from, to, ...(reason === null ? {} : { reason }) }
  await recordOnboardingAction(context, onboarding, { actor, action: 'onboarding moved', detail })
  if (to !== 'Created') {
    const data = { onboardingId: id, previousStatus: from, status: to, statusReason: reason }
    const change = { type: onboardingEventTypes[to], subjectId: id, data }
    await enqueueSelectedEvents(context.database, { partnerId, at }, [change])
  }
  return true
}

/** Raises the task to review it, or adds what has happened since to the one that is open. */
export async function raiseReviewTask(
  context: Context,
  onboarding: OnboardingKey,
  why: string,
  since: { readonly documents: 'requested' | 'uploaded'; readonly files: number },
): Promise<void> {
  const task = reviewTaskOf(onboarding)
  await raiseTask(context, { ...task, detail: { why, ...since } })
  await addTaskDetail(context, { ...task, detail: since })
}

/** The task of operators to review it. */
export function reviewTaskOf({ partnerId, id }: OnboardingKey) {
  return { partnerId, kind: 'OnboardingToReview', subjectType: 'onboarding', subjectId: id } as const
}
