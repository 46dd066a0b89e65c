/** Notices the older consents that a bank ended because the same user accepted a newer one. */

import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { Context } from '../context.ts'
import { retryAt } from '../platform/jobs/retry-backoff.ts'
import type { Consent } from './consent.ts'
import { setConsentDue } from './consent-schedule-store.ts'
import { listConsentsAtBank } from './consent-store.ts'
import { lookAtConsent } from './refresh-consent.ts'
import { withLiveTokens } from './with-live-tokens.ts'

/** Between the attempts while one of them cannot be read. */
const READ_AGAIN = { leastSeconds: 300, mostSeconds: 21_600 }

/**
 * Reads the consents in force at this bank and company, across partners: the bank sees us as one third party.
 * Until all could be read the newer one stays due; after that it is due when its validity ends.
 */
export async function noticeReplaced(context: Context, bank: Bank, newer: Consent): Promise<void> {
  const isAllRead = bank.profile.consentReplacement === 'none' || (await readAll(context, bank, newer))
  const again = retryAt(newer.updatedAt, context.clock.now(), READ_AGAIN)
  const isSooner = Temporal.Instant.compare(again, newer.validUntil) < 0
  await setConsentDue(context.database, newer, isAllRead || !isSooner ? newer.validUntil : again)
}

/** The newer one too where there are others: it may itself have been replaced while it was being put in force. */
async function readAll(context: Context, bank: Bank, newer: Consent): Promise<boolean> {
  const inForce = await listConsentsAtBank(context, bank.bic, newer.organisationNumber)
  const isAlone = inForce.every(({ id }) => id === newer.id)
  const read = isAlone ? [] : await Promise.all(inForce.map((consent) => isRead(context, bank, consent)))
  return read.every((isDone) => isDone)
}

async function isRead(context: Context, bank: Bank, consent: Consent): Promise<boolean> {
  try {
    const shown = { partnerId: consent.partnerId, consentId: consent.id }
    await withLiveTokens(context, shown, () => lookAtConsent(context, bank, consent))
    return true
  } catch (error) {
    if (error instanceof BankRefusal && error.kind === 'token-invalid') {
      // What opened it has ended, and the consent with it.
      return true
    }
    // A bank that cannot be read must not hold up the newer one.
    const refusal = error instanceof BankRefusal ? error.kind : String(error)
    context.log.warn({ consentId: consent.id, refusal }, 'an older consent could not be read')
    return false
  }
}
