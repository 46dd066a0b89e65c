/** Notes in the audit log that an onboarding has moved on: its history, without a word of what people wrote. */
import type { Context } from '../context.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import type { Onboarding, OnboardingMove } from './onboarding.ts'

/** Adds the entry in the transaction that moves it. */
export async function noteMove(
  surroundings: Pick<Context, 'clock'> & { readonly database: Queryable },
  { partnerId, id, status: from }: Pick<Onboarding, 'partnerId' | 'id' | 'status'>,
  { status: to, statusReason: reason }: Pick<OnboardingMove, 'status' | 'statusReason'>,
  actor = 'havn',
): Promise<void> {
  const detail = { from, to, ...(reason === null ? {} : { reason }) }
  const subject = ['onboarding', id] as const
  await writeAudit(surroundings, { partnerId, actor, action: 'onboarding moved', subject, detail })
}
