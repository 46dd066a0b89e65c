/** Records what happens to an onboarding: its transitions with their events, and the actions of persons. */

import { onboardingEventTypes } from '../../contract/webhooks/event-types.ts'
import type { Context } from '../context.ts'
import { writeAuditEntry } from '../operators/write-audit-entry.ts'
import { enqueueSelectedEvents } from '../webhooks/events/enqueue-selected-events.ts'
import type { Onboarding, OnboardingKey, OnboardingTransition } from './store/onboarding.ts'

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
  surroundings: Context,
  { partnerId, id }: OnboardingKey,
  { actor, action, signerId }: OnboardingAction,
): Promise<void> {
  const detail = { signer: signerId }
  await writeAuditEntry(surroundings, { partnerId, actor, action, subject: ['onboarding', id], detail })
}

/** The actor name in the audit log for the user of a link. */
export function actorOf({ signerId }: { readonly signerId: string | null }): string {
  return signerId === null ? 'company' : `signer ${signerId}`
}

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
