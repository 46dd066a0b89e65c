/** Detects older consents that a bank ended because the same user accepted a newer one. */

import type { Bank } from '../banks/connector/bank.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import { isBankError } from '../banks/connector/bank-error-classification.ts'
import type { Context } from '../context.ts'
import { nextAttemptAt } from '../platform/jobs/retry-backoff.ts'
import type { Consent } from './consent.ts'
import { scheduleConsentCheck } from './consent-schedule-store.ts'
import { listConsentsAtBank } from './consent-store.ts'
import { refreshConsent } from './refresh-consent.ts'
import { usesConsentTokens } from './tokens/bank-caller.ts'
import { withTokenRetry } from './tokens/with-token-retry.ts'

/** Backoff while one of them cannot be read. */
const READ_AGAIN = { leastSeconds: 300, mostSeconds: 21_600 }

/**
 * Reads the consents in force at this bank for this company, across partners: to the bank we are one third party. Until
 * all could be read the newer one stays due; after that it is due when its expiry is notified.
 */
export async function detectReplacedConsents(context: Context, bank: Bank, newer: Consent): Promise<void> {
  const isAllRead = bank.profile.consentReplacement === 'none' || (await refreshAllConsents(context, bank, newer))
  const again = nextAttemptAt(newer.updatedAt, context.clock.now(), READ_AGAIN)
  const isSooner = Temporal.Instant.compare(again, newer.validUntil) < 0
  await scheduleConsentCheck(context.database, newer, isAllRead || !isSooner ? newer.validUntil : again)
}

/** Reads the newer one, too, if there are several: it may have been replaced during its activation. */
async function refreshAllConsents(context: Context, bank: Bank, newer: Consent): Promise<boolean> {
  const inForce = await listConsentsAtBank(context, bank.bic, newer.organisationNumber)
  const isAlone = inForce.every(({ id }) => id === newer.id)
  const read = isAlone ? [] : await Promise.all(inForce.map((consent) => tryRefresh(context, bank, consent)))
  return read.every((isDone) => isDone)
}

async function tryRefresh(context: Context, bank: Bank, consent: Consent): Promise<boolean> {
  try {
    const shown = { partnerId: consent.partnerId, consentId: consent.id, service: 'AIS' } as const
    await withTokenRetry(context, shown, () => refreshConsent(context, bank, consent))
    return true
  } catch (error) {
    if (isBankError(error, 'token-invalid') && usesConsentTokens(bank, 'AIS')) {
      // The user's grant has ended, and the consent with it.
      return true
    }
    // A bank that cannot be read must not block the newer consent.
    const rejection = error instanceof BankError ? error.kind : String(error)
    context.log.warn({ consentId: consent.id, rejection }, 'an older consent could not be read')
    return false
  }
}
