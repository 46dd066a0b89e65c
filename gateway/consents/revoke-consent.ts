/** Revokes a consent: here at once, and at its bank by a job that retries until the bank has accepted it. */

import { BankError, retryAfterOf } from '../banks/connector/bank-error.ts'
import { isBankError } from '../banks/connector/bank-error-classification.ts'
import type { Context } from '../context.ts'
import { writeAuditEntry } from '../operators/audit-log.ts'
import type { RowKey } from '../platform/jobs/due-row-scan.ts'
import { nextAttemptAt } from '../platform/jobs/retry-backoff.ts'
import { bankCallerOf, usesConsentTokens } from './call-bank.ts'
import type { Consent, ConsentActor } from './consent.ts'
import { recordBankRevocation, scheduleTokenRelease } from './consent-schedule-store.ts'
import { findConsent } from './consent-store.ts'
import { transitionConsent } from './transition-consent.ts'

/** Idempotent. */
export async function revokeConsent(
  context: Context,
  { consent, actor }: Pick<ConsentActor, 'consent' | 'actor'>,
): Promise<undefined> {
  const { partnerId, id } = consent
  const at = context.clock.now()
  const change = { status: 'REVOKED', statusReason: 'PARTNER', at, revokeAt: at } as const
  await transitionConsent(context, consent, change, (context) =>
    writeAuditEntry(context, { partnerId, actor, action: 'consent revoked', subject: ['consent', id] }),
  )
}

/** Backoff while a bank does not accept a revocation, without a limit. */
const REVOKE_AGAIN = { leastSeconds: 300, mostSeconds: 21_600 }

/** A bank with grants that says that the grant of the consent has ended counts as having accepted it. */
export async function revokeAtBank(context: Context, key: RowKey): Promise<void> {
  const consent = await findConsent(context, key)
  if (consent === undefined) {
    return
  }
  const bank = await context.banks.find(consent.bic)
  try {
    if (bank === undefined) {
      throw new BankError('unavailable', 'The bank is not available in this installation')
    }
    // A user who only signed in gave no consent that could be revoked.
    if (consent.bankConsentId !== null) {
      const product = context.banks.connectorOf(bank).consents
      await product.revoke(
        await bankCallerOf(context, { bank, consent, service: 'AIS', psu: null }),
        consent.bankConsentId,
      )
    }
    await recordRevoked(context, consent)
  } catch (error) {
    if (bank !== undefined && usesConsentTokens(bank, 'AIS') && isBankError(error, 'token-invalid')) {
      context.log.warn({ consentId: key.id }, 'a consent cannot be revoked at its bank: its access grant has ended')
      await recordRevoked(context, consent)
      return
    }
    if (!(error instanceof BankError)) {
      throw error
    }
    context.log.warn(
      { consentId: key.id, errorKind: error.kind },
      'a consent could not be revoked at its bank; it will be retried',
    )
    const again = nextAttemptAt(consent.updatedAt, context.clock.now(), REVOKE_AGAIN, retryAfterOf(error))
    await recordBankRevocation(context.database, key, again)
  }
}

/** The revocation needed the tokens; now they can be released. */
async function recordRevoked(context: Context, consent: Consent): Promise<void> {
  await recordBankRevocation(context.database, consent, null)
  await scheduleTokenRelease(context.database, consent, context.clock.now())
}
