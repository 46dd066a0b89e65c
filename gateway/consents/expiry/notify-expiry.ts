/** Notifies that a consent expires soon, so that it can be renewed without a gap. */
import { CONSENT_EXPIRING } from '../../../contract/webhooks/event-types.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { formatTimestamp } from '../../platform/time-format.ts'
import { enqueueSelectedEvents } from '../../webhooks/events/enqueue-selected-events.ts'
import { type Consent, expiryNoticeAt } from '../consent.ts'
import { recordExpiryNotified } from '../consent-schedule-store.ts'

/** Once for each consent, however often it is called; does nothing before the time of the notice. */
export async function notifyExpiry(context: Context, consent: Consent): Promise<void> {
  const at = context.clock.now()
  if (Temporal.Instant.compare(expiryNoticeAt(consent), at) > 0) {
    return
  }
  const { partnerId, id, validUntil } = consent
  await inTransaction(context, async (context) => {
    if (await recordExpiryNotified(context.database, consent, at)) {
      const unchanged = { previousStatus: null, status: 'ACCEPTED', statusReason: null } as const
      const data = { consentId: id, ...unchanged, validUntil: formatTimestamp(validUntil) }
      await enqueueSelectedEvents(context.database, { partnerId, at }, [
        { type: CONSENT_EXPIRING, subjectId: id, data },
      ])
    }
  })
}
