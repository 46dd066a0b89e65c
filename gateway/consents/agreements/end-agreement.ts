/** Ends an agreement: no new orders under it, while submitted ones are still polled. */

import type { Context } from '../../context.ts'
import { writeAuditEntry } from '../../operators/audit-log.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { type ConsentKey, findConsent } from '../consent-store.ts'
import { transitionConsent } from '../transition-consent.ts'
import { isAgreement } from './agreement-store.ts'

/** False when it had ended already. Throws when there is none. */
export async function endAgreement(context: Context, actor: string, key: ConsentKey): Promise<boolean> {
  const consent = await findConsent(context, key)
  if (consent === undefined || !(await isAgreement(context.database, key))) {
    throw apiError('not-found', 'The partner has no agreement with this id')
  }
  const { partnerId, id } = consent
  // `BANK`: banks end agreements, operators only record it.
  const ended = { status: 'REVOKED', statusReason: 'BANK', at: context.clock.now() } as const
  return await transitionConsent(context, consent, ended, (context) => {
    const entry = { partnerId, actor, action: 'agreement ended', subject: ['consent', id] as const }
    return writeAuditEntry(context, entry)
  })
}
