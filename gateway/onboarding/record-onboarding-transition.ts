/** Records a status transition of an onboarding, without personal data: in the audit log and as an event. */
import { onboardingEventTypes } from '../../contract/webhooks/event-types.ts'
import type { Context } from '../context.ts'
import { writeAuditEntry } from '../operators/write-audit-entry.ts'
import { enqueueSelectedEvents } from '../webhooks/events/enqueue-selected-events.ts'
import type { Onboarding, OnboardingTransition } from './onboarding.ts'

/** Writes both in the transaction of the transition. */
export async function recordOnboardingTransition(
  surroundings: Context,
  { partnerId, id, status: from }: Pick<Onboarding, 'partnerId' | 'id' | 'status'>,
  { status: to, statusReason: reason, at }: OnboardingTransition,
  actor = 'havn',
): Promise<void> {
  const detail = { from, to, ...(reason === null ? {} : { reason }) }
  const subject = ['onboarding', id] as const
  await writeAuditEntry(surroundings, { partnerId, actor, action: 'onboarding moved', subject, detail })
  if (to !== 'Created') {
    const data = { onboardingId: id, previousStatus: from, status: to, statusReason: reason }
    const change = { type: onboardingEventTypes[to], subjectId: id, data }
    await enqueueSelectedEvents(surroundings.database, { partnerId, at }, [change])
  }
}
