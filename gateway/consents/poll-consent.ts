/** Reads a consent at its bank once a day, and again an hour after a failure. */

import { BankError, retryAfterOf } from '../banks/connector/bank-error.ts'
import type { Context } from '../context.ts'
import type { RowKey } from '../platform/jobs/due-row-scan.ts'
import { nextConsentRefresh } from './consent.ts'
import { scheduleConsentRefresh } from './consent-schedule-store.ts'
import { findConsent } from './consent-store.ts'
import { refreshConsent } from './refresh-consent.ts'
import { withTokenRetry } from './tokens/with-token-retry.ts'

/** Delay until the next read after a failure. */
const RETRY_READ_SECONDS = 3_600

/** Even a consent that is not used is read, so that its partner learns when its user has ended it. */
export async function pollConsent(context: Context, key: RowKey): Promise<void> {
  const { clock, database, log } = context
  const consent = await findConsent(context, key)
  if (consent === undefined) {
    return
  }
  const bank = await context.banks.find(consent.bic)
  try {
    if (bank !== undefined) {
      const shown = { partnerId: consent.partnerId, consentId: consent.id, service: 'AIS' } as const
      await withTokenRetry(context, shown, () => refreshConsent(context, bank, consent))
    }
    await scheduleConsentRefresh(database, consent, nextConsentRefresh(clock.now()))
  } catch (error) {
    if (!(error instanceof BankError)) {
      throw error
    }
    log.warn(
      { consentId: consent.id, errorKind: error.kind },
      'a consent could not be read at its bank; it will be retried',
    )
    const seconds = Math.max(RETRY_READ_SECONDS, retryAfterOf(error) ?? 0)
    await scheduleConsentRefresh(database, consent, clock.now().add({ seconds }))
  }
}
