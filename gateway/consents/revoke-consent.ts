/** Revokes a consent: here at once, at the bank by the sweep, which tries until the bank has taken it. */
import type { Context } from '../context.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import type { ConsentCaller } from './consent.ts'
import { moveConsent } from './consent-transition-store.ts'

/** Whoever was quicker has revoked it: repeating changes nothing. */
export async function revokeConsent(context: Context, { consent, clientId }: ConsentCaller): Promise<undefined> {
  const at = context.clock.now()
  const change = { status: 'REVOKED', statusReason: 'PARTNER', at, revokeAt: at } as const
  if (await moveConsent(context.database.query, consent, change)) {
    const subject = ['consent', consent.id] as const
    const { partnerId } = consent
    await writeAudit(context, { partnerId, actor: `client ${clientId}`, action: 'consent revoked', subject })
  }
}
