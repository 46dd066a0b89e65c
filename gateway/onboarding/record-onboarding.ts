/** Records what happens to an onboarding: changes of its status with their events, and the actions of persons. */

import { onboardingEventTypes } from '../../contract/webhooks/event-types.ts'
import type { Context } from '../context.ts'
import { writeAuditEntry } from '../operators/audit-log.ts'
import { addTaskDetail, raiseTask } from '../operators/raise-task.ts'
import { enqueueSelectedEvents } from '../webhooks/events/enqueue-selected-events.ts'
import type { Onboarding, OnboardingKey, OnboardingTransition } from './store/onboarding.ts'
import { transitionOnboarding } from './store/onboarding-store.ts'

export type OnboardingAction = {
  /** `company` for users of the company's link, `signer <id>`, or `operator <name>`. */
  readonly actor: string
  readonly action:
    | 'onboarding submitted'
    | 'onboarding reopened'
    | 'onboarding link made'
    | 'onboarding link revoked'
    | 'onboarding person identified'
    | 'onboarding signed'
    | 'onboarding signature refused'
  /** The signer concerned; null for actions on the whole onboarding. */
  readonly signerId: string | null
}

/** Writes the entry in the transaction of the action. */
export async function recordOnboardingAction(
  context: Context,
  { partnerId, id }: OnboardingKey,
  { actor, action, signerId }: OnboardingAction,
): Promise<void> {
  const detail = { signer: signerId }
  await writeAuditEntry(context, { partnerId, actor, action, subject: ['onboarding', id], detail })
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
  const subject = ['onboarding', id] as const
  await writeAuditEntry(context, { partnerId, actor, action: 'onboarding moved', subject, detail })
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
