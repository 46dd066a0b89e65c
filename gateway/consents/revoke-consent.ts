/** Revokes a consent: here at once, at the bank by a job that retries until the bank has accepted it. */
import type { Context } from '../context.ts'
import { writeAuditEntry } from '../operators/audit-log.ts'
import type { ConsentActor } from './consent.ts'
import { transitionConsent } from './transition-consent.ts'

/** Idempotent. */
export async function revokeConsent(
  context: Context,
  { consent, actor }: Pick<ConsentActor, 'consent' | 'actor'>,
): Promise<undefined> {
  const at = context.clock.now()
  const change = { status: 'REVOKED', statusReason: 'PARTNER', at, revokeAt: at } as const
  if (await transitionConsent(context, consent, change)) {
    const subject = ['consent', consent.id] as const
    const { partnerId } = consent
    await writeAuditEntry(context, { partnerId, actor, action: 'consent revoked', subject })
  }
}
