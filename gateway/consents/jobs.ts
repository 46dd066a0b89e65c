/** Ends consents whose validity is over, looks at what newer ones have replaced, and ends revoked ones at their banks. */
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { Context } from '../context.ts'
import type { RowKey } from '../foundation/due-rows.ts'
import { dueSweep } from '../foundation/due-sweep.ts'
import { retryAt } from '../foundation/retry-delay.ts'
import type { Sweep } from '../foundation/sweeps.ts'
import { forgetBankTokens } from './bank-tokens.ts'
import { callerAtBank } from './caller-at-bank.ts'
import { type Consent, cameToNothing } from './consent.ts'
import { noteRevocation, setConsentDue } from './consent-due-store.ts'
import { findConsent, moveConsent } from './consent-store.ts'
import { noticeReplaced } from './notice-replaced.ts'

const LEASE_SECONDS = 60
/** Between the attempts at a bank that does not take the revocation, for as long as it takes. */
const REVOKE_AGAIN = { leastSeconds: 300, mostSeconds: 21_600 }

const consents = { table: 'consents', share: 'bic', time: 'business', leaseSeconds: LEASE_SECONDS } as const
const expiring = { ...consents, name: 'consents expiring', column: 'due_at' }
const revoking = { ...consents, name: 'consents revoking', column: 'revoke_at' }

/** The sweeps over consents. */
export function consentSweeps(context: Context): readonly Sweep[] {
  return [
    dueSweep(context, expiring, (key) => lookAt(context, key)),
    dueSweep(context, revoking, (key) => revokeAtBank(context, key)),
  ]
}

/** At the end of its validity it expires; before that it is due because a newer one may have ended older ones. */
async function lookAt(context: Context, key: RowKey): Promise<void> {
  const consent = await findConsent(context, key)
  if (consent === undefined) {
    return
  }
  const at = context.clock.now()
  const bank = await context.banks.find(consent.bic)
  if (Temporal.Instant.compare(consent.validUntil, at) <= 0) {
    await moveConsent(context.database.query, consent, { status: 'EXPIRED', at })
  } else if (bank === undefined) {
    await setConsentDue(context.database, consent, consent.validUntil)
  } else {
    await noticeReplaced(context, bank, consent)
  }
}

async function revokeAtBank(context: Context, key: RowKey): Promise<void> {
  const consent = await findConsent(context, key)
  try {
    const bank = consent && (await context.banks.find(consent.bic))
    if (consent === undefined || bank === undefined) {
      throw new BankRefusal('unavailable', 'The bank is not served at this moment')
    }
    // A user who only signed in, and left then, gave nothing that could be ended.
    if (consent.bankConsentId !== null) {
      const product = context.banks.connectorOf(bank).consents
      await product.revoke(await callerAtBank(context, { bank, consent, psu: null }), consent.bankConsentId)
    }
    await noteEnded(context, consent)
  } catch (error) {
    if (consent !== undefined && error instanceof BankRefusal && error.kind === 'token-invalid') {
      context.log.warn({ consentId: key.id }, 'a consent cannot be ended at its bank: what opened it has ended')
      await noteEnded(context, consent)
      return
    }
    const refusal = error instanceof BankRefusal ? error.kind : String(error)
    context.log.warn({ consentId: key.id, refusal }, 'a consent could not be ended at its bank')
    const now = context.clock.now()
    await noteRevocation(context.database, key, retryAt(consent?.updatedAt ?? now, now, REVOKE_AGAIN))
  }
}

/** What its user did not accept is not asked about any more. */
async function noteEnded(context: Context, consent: Consent): Promise<void> {
  await noteRevocation(context.database, consent, null)
  if (cameToNothing(consent)) {
    await forgetBankTokens(context, { partnerId: consent.partnerId, subjectId: consent.id })
  }
}
