/** Ends a consent at its expiry; before that, announces the expiry and detects which older consents it has replaced. */
import type { Context } from '../../context.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import { scheduleConsentCheck } from '../consent-schedule-store.ts'
import { findConsent } from '../consent-store.ts'
import { detectReplacedConsents } from '../detect-replaced-consents.ts'
import { transitionConsent } from '../transition-consent.ts'
import { notifyExpiry } from './notify-expiry.ts'

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
  // Agreements are not consents at the bank, which could replace them.
  if (bank === undefined || consent.bankConsentId === null) {
    await scheduleConsentCheck(context.database, consent, consent.validUntil)
  } else {
    await detectReplacedConsents(context, bank, consent)
  }
}
