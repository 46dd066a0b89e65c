/** Runs the jobs on consents: expiry, reading them at their banks, revocation, and the release of tokens. */

import { BankError } from '../banks/connector/bank-error.ts'
import { isBankError } from '../banks/connector/bank-error-classification.ts'
import type { Context } from '../context.ts'
import type { RowKey } from '../platform/jobs/due-row-scan.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import { nextAttemptAt } from '../platform/jobs/retry-backoff.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../platform/jobs/sweep-runner.ts'
import { type Consent, nextConsentRefresh } from './consent.ts'
import { recordBankRevocation, scheduleConsentCheck, scheduleConsentRefresh } from './consent-schedule-store.ts'
import { findConsent } from './consent-store.ts'
import { scheduleTokenRelease } from './consent-transition-store.ts'
import { detectReplacedConsents } from './detect-replaced-consents.ts'
import { notifyExpiry } from './notify-expiry.ts'
import { refreshConsent } from './refresh-consent.ts'
import { bankCallerOf } from './tokens/bank-caller.ts'
import { type HasPollingUnderConsent, releaseConsentTokens } from './tokens/consent-tokens.ts'
import { withTokenRetry } from './tokens/with-token-retry.ts'
import { transitionConsent } from './transition-consent.ts'
import { purgeUnattendedReads } from './unattended-reads/unattended-read-store.ts'

const LEASE_SECONDS = 60
/** Backoff while a bank does not accept a revocation, without a limit. */
const REVOKE_AGAIN = { leastSeconds: 300, mostSeconds: 21_600 }
/** Delay until the next read after a failure. */
const RETRY_READ_AFTER = { hours: 1 }

/** A counter is valid on its day only; it is stored longer for support. */
const COUNTERS_STORED_FOR = { days: 7 }

const consents = { table: 'consents', partition: 'bic', time: 'business', leaseSeconds: LEASE_SECONDS } as const
const expiring = { ...consents, name: 'consent expiry', column: 'due_at' }
const lowPriority = { ...consents, everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS }
const refreshingJob = { ...lowPriority, name: 'consent refresh', column: 'refresh_at' }
const revoking = { ...consents, name: 'consent revocation', column: 'revoke_at' }
const releasing = { ...lowPriority, name: 'consent token release', column: 'token_release_at' }

/** The jobs on consents. */
export function consentSweeps(context: Context, hasPolling: HasPollingUnderConsent): readonly Sweep[] {
  return [
    dueRowSweep(context, expiring, (key) => expireOrCheckConsent(context, key)),
    consentRefreshSweep(context),
    dueRowSweep(context, revoking, (key) => revokeAtBank(context, key)),
    dueRowSweep(context, releasing, (key) => releaseConsentTokens(context, key, hasPolling)),
    {
      name: 'unattended read retention',
      time: 'business',
      everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS,
      nextDue: async () => null,
      run: (limit) => purgeUnattendedReads(context.database, readsStoredFrom(context), limit),
    },
  ]
}

/** Not part of `nextDue`: a test clock that is advanced by months does not stop at each daily read. */
function consentRefreshSweep(context: Context): Sweep {
  const { dueStatement: _, ...sweep } = dueRowSweep(context, refreshingJob, (key) => pollConsent(context, key))
  return { ...sweep, nextDue: async () => null }
}

/** Seven days, because a bank's day may differ from ours by time zone. */
function readsStoredFrom({ clock }: Context): Temporal.PlainDate {
  return clock.today('UTC').subtract(COUNTERS_STORED_FOR)
}

/** At its expiry it expires; before that it is due because it expires soon, or may have replaced older ones. */
async function expireOrCheckConsent(context: Context, key: RowKey): Promise<void> {
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

/** Even a consent that is not used is read, so that its partner learns when its user has ended it. */
async function pollConsent(context: Context, key: RowKey): Promise<void> {
  const { clock, database, log } = context
  const consent = await findConsent(context, key)
  if (consent === undefined) {
    return
  }
  const bank = await context.banks.find(consent.bic)
  try {
    if (bank !== undefined) {
      const shown = { partnerId: consent.partnerId, consentId: consent.id }
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
    await scheduleConsentRefresh(database, consent, clock.now().add(RETRY_READ_AFTER))
  }
}

async function revokeAtBank(context: Context, key: RowKey): Promise<void> {
  const consent = await findConsent(context, key)
  try {
    const bank = consent && (await context.banks.find(consent.bic))
    if (consent === undefined || bank === undefined) {
      throw new BankError('unavailable', 'The bank is not available in this installation')
    }
    // A user who only signed in gave no consent that could be revoked.
    if (consent.bankConsentId !== null) {
      const product = context.banks.connectorOf(bank).consents
      await product.revoke(await bankCallerOf(context, { bank, consent, psu: null }), consent.bankConsentId)
    }
    await recordRevoked(context, consent)
  } catch (error) {
    if (consent !== undefined && isBankError(error, 'token-invalid')) {
      context.log.warn({ consentId: key.id }, 'a consent cannot be revoked at its bank: its access grant has ended')
      await recordRevoked(context, consent)
      return
    }
    const rejection = error instanceof BankError ? error.kind : String(error)
    context.log.warn({ consentId: key.id, rejection }, 'a consent could not be revoked at its bank; it will be retried')
    const now = context.clock.now()
    await recordBankRevocation(context.database, key, nextAttemptAt(consent?.updatedAt ?? now, now, REVOKE_AGAIN))
  }
}

/** The revocation needed the tokens; now they can be released. */
async function recordRevoked(context: Context, consent: Consent): Promise<void> {
  await recordBankRevocation(context.database, consent, null)
  await scheduleTokenRelease(context.database, consent, context.clock.now())
}
