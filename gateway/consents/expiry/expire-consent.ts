/** Ends a consent at its expiry; before that, announces the expiry and detects which older consents it has replaced. */

import { CONSENT_EXPIRING } from '../../../contract/webhooks/event-types.ts'
import type { Context } from '../../context.ts'
import { formatTimestamp } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import { enqueueSelectedEvents } from '../../webhooks/events/enqueue-selected-events.ts'
import { type Consent, expiryNoticeAt } from '../consent.ts'
import { recordExpiryNotified, scheduleConsentCheck } from '../consent-schedule-store.ts'
import { findConsent } from '../consent-store.ts'
import { detectReplacedConsents } from '../poll-consent.ts'
import { transitionConsent } from '../transition-consent.ts'

/** At its expiry it expires; before that it is due because it expires soon, or may have replaced older ones. */
export async function expireOrCheckConsent(context: Context, key: RowKey): Promise<void> {
  const consent = await findConsent(context, key)
  if (consent === undefined) {
    return
  }
  const at = context.clock.now()
  if (Temporal.Instant.compare(consent.validUntil, at) <= 0) {
    await transitionConsent(context, consent, { status: 'EXPIRED', at })
    return
  }
  await notifyExpiry(context, consent)
  const bank = await context.banks.find(consent.bic)
  if (bank === undefined) {
    await scheduleConsentCheck(context.database, consent, consent.validUntil)
  } else {
    await detectReplacedConsents(context, bank, consent)
  }
}

/** Once for each consent, however often it is called; does nothing before the time of the notice. */
async function notifyExpiry(context: Context, consent: Consent): Promise<void> {
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
