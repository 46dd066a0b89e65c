/** Looks after consents: ends those whose time is over, asks banks which are in force, and clears up after those that ended. */
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { Context } from '../context.ts'
import type { RowKey } from '../foundation/due-rows.ts'
import { dueSweep } from '../foundation/due-sweep.ts'
import type { Sweep } from '../foundation/sweep.ts'
import { retryAt } from '../platform/jobs/retry-backoff.ts'
import { NOBODY_WAITS_MILLISECONDS } from '../platform/jobs/sweep-runner.ts'
import { callerAtBank } from './caller-at-bank.ts'
import { type Consent, nextLook } from './consent.ts'
import { noteRevocation, setConsentDue, setConsentLook } from './consent-schedule-store.ts'
import { findConsent } from './consent-store.ts'
import { type IsFollowed, releaseTokens } from './consent-tokens.ts'
import { moveConsent, releaseConsent } from './consent-transition-store.ts'
import { noticeReplaced } from './detect-replaced-consents.ts'
import { lookAtConsent } from './refresh-consent.ts'
import { forgetReads } from './unattended-reads/unattended-read-store.ts'
import { withLiveTokens } from './with-live-tokens.ts'

const LEASE_SECONDS = 60
/** Between the attempts at a bank that does not take the revocation, for as long as it takes. */
const REVOKE_AGAIN = { leastSeconds: 300, mostSeconds: 21_600 }
/** After this a bank is asked again that could not be read. */
const LOOK_AGAIN = { hours: 1 }

/** What was read on a day counts on that day alone; a few more for whoever asks what happened. */
const READS_KEPT = { days: 7 }

const consents = { table: 'consents', share: 'bic', time: 'business', leaseSeconds: LEASE_SECONDS } as const
const expiring = { ...consents, name: 'consents expiring', column: 'due_at' }
const unhurried = { ...consents, everyMilliseconds: NOBODY_WAITS_MILLISECONDS }
const looking = { ...unhurried, name: 'consents looked at', column: 'look_at' }
const revoking = { ...consents, name: 'consents revoking', column: 'revoke_at' }
const releasing = { ...unhurried, name: 'consents releasing', column: 'release_at' }

/** The sweeps over consents. */
export function consentSweeps(context: Context, isFollowed: IsFollowed): readonly Sweep[] {
  return [
    dueSweep(context, expiring, (key) => seeTo(context, key)),
    lookingSweep(context),
    dueSweep(context, revoking, (key) => revokeAtBank(context, key)),
    dueSweep(context, releasing, (key) => releaseTokens(context, key, isFollowed)),
    {
      name: 'unattended reads',
      time: 'business',
      everyMilliseconds: NOBODY_WAITS_MILLISECONDS,
      nextDue: async () => null,
      run: (limit) => forgetReads(context.database, readsKeptFrom(context), limit),
    },
  ]
}

/** Nothing waits for a look: a clock that is moved by months does not stop for each day's. */
function lookingSweep(context: Context): Sweep {
  const { dueStatement: _, ...sweep } = dueSweep(context, looking, (key) => look(context, key))
  return { ...sweep, nextDue: async () => null }
}

/** No bank's day is further away than that from ours. */
function readsKeptFrom({ clock }: Context): Temporal.PlainDate {
  return clock.today('UTC').subtract(READS_KEPT)
}

/** At the end of its validity it expires; before that it is due because a newer one may have ended older ones. */
async function seeTo(context: Context, key: RowKey): Promise<void> {
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

/** Nobody may use a consent for months; its partner is to learn all the same that its user has ended it. */
async function look(context: Context, key: RowKey): Promise<void> {
  const { clock, database, log } = context
  const consent = await findConsent(context, key)
  if (consent === undefined) {
    return
  }
  const bank = await context.banks.find(consent.bic)
  try {
    if (bank !== undefined) {
      const shown = { partnerId: consent.partnerId, consentId: consent.id }
      await withLiveTokens(context, shown, () => lookAtConsent(context, bank, consent))
    }
    await setConsentLook(database, consent, nextLook(clock.now()))
  } catch (error) {
    if (!(error instanceof BankRefusal)) {
      throw error
    }
    log.warn({ consentId: consent.id, refusal: error.kind }, 'a consent could not be read at its bank')
    await setConsentLook(database, consent, clock.now().add(LOOK_AGAIN))
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

/** Ending it took its tokens; now they may go. */
async function noteEnded(context: Context, consent: Consent): Promise<void> {
  await noteRevocation(context.database, consent, null)
  await releaseConsent(context.database, consent, context.clock.now())
}
