/** Records a status transition of an onboarding in the audit log, without personal data. */
import type { Context } from '../context.ts'
import { writeAuditEntry } from '../operators/write-audit-entry.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import type { Onboarding, OnboardingTransition } from './onboarding.ts'

/** Writes the entry in the transaction of the transition. */
export async function recordOnboardingTransition(
  surroundings: Pick<Context, 'clock'> & { readonly database: Queryable },
  { partnerId, id, status: from }: Pick<Onboarding, 'partnerId' | 'id' | 'status'>,
  { status: to, statusReason: reason }: Pick<OnboardingTransition, 'status' | 'statusReason'>,
  actor = 'havn',
): Promise<void> {
  const detail = { from, to, ...(reason === null ? {} : { reason }) }
  const subject = ['onboarding', id] as const
  await writeAuditEntry(surroundings, { partnerId, actor, action: 'onboarding moved', subject, detail })
}
