/** Reads consents at their banks: each once a day, and older ones that a newer one may have replaced. */

import { isPartnerDisabled } from '../auth/list-partners.ts'
import type { Bank } from '../banks/connector/bank.ts'
import { BankError, retryAfterOf } from '../banks/connector/bank-error.ts'
import { isBankError } from '../banks/connector/bank-error-classification.ts'
import type { Context } from '../context.ts'
import type { RowKey } from '../platform/jobs/due-row-scan.ts'
import { nextAttemptAt } from '../platform/jobs/retry-backoff.ts'
import { refreshConsent, usesConsentTokens } from './call-bank.ts'
import { type Consent, nextConsentRefresh } from './consent.ts'
import { scheduleConsentCheck, scheduleConsentRefresh } from './consent-schedule-store.ts'
import { findConsent, listConsentsInForce } from './consent-store.ts'
import { revokeConsent } from './revoke-consent.ts'

/** Delay until the next read after a failure. */
const RETRY_READ_SECONDS = 3_600

/**
 * Even a consent that is not used is read, so that its partner learns when its user has ended it. That of a partner that
 * was disabled is revoked: it cannot be used any more.
 */
export async function pollConsent(context: Context, key: RowKey): Promise<void> {
  const { clock, database, log } = context
  const consent = await findConsent(context, key)
  if (consent === undefined) {
    return
  }
  if (await isPartnerDisabled(context, consent.partnerId)) {
    await revokeConsent(context, { consent, actor: 'havn' })
    return
  }
  const bank = await context.banks.find(consent.bic)
  try {
    if (bank !== undefined) {
      await refreshConsent(context, bank, consent)
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
  const inForce = await listConsentsInForce(context, { bic: bank.bic, organisationNumber: newer.organisationNumber })
  const isAlone = inForce.every(({ id }) => id === newer.id)
  const read = isAlone ? [] : await Promise.all(inForce.map((consent) => tryRefresh(context, bank, consent)))
  return read.every((isDone) => isDone)
}

async function tryRefresh(context: Context, bank: Bank, consent: Consent): Promise<boolean> {
  try {
    await refreshConsent(context, bank, consent)
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
