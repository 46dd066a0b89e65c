/** Ends an agreement: nothing new is ordered under it, and what was sent goes on. */
import type { Context } from '../../context.ts'
import { writeAudit } from '../../operators/write-audit-entry.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import { type ConsentKey, findConsent } from '../consent-store.ts'
import { moveConsent } from '../consent-transition-store.ts'
import { isAgreement } from './agreement-store.ts'

/** False when it had ended already. Throws when there is none. */
export async function endAgreement(context: Context, actor: string, key: ConsentKey): Promise<boolean> {
  const consent = await findConsent(context, key)
  if (consent === undefined || !(await isAgreement(context.database, key))) {
    throw new Error('The partner has no agreement with this id')
  }
  const { partnerId, id } = consent
  return await atomically(context.database, async ({ query }) => {
    // Banks end agreements; operators enter that.
    const ended = { status: 'REVOKED', statusReason: 'BANK', at: context.clock.now() } as const
    const moved = await moveConsent(query, consent, ended)
    if (moved) {
      const entry = { partnerId, actor, action: 'agreement ended', subject: ['consent', id] as const }
      await writeAudit({ ...context, database: { query } }, entry)
    }
    return moved
  })
}
