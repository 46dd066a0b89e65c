/** Runs the jobs on consents: expiry, reading them at their banks, revocation, and the release of tokens. */

import type { Context } from '../context.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import { retentionSweep } from '../platform/jobs/retention-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../platform/jobs/sweep-runner.ts'
import { expireOrCheckConsent } from './expiry/expire-consent.ts'
import { pollConsent } from './poll-consent.ts'
import { revokeAtBank } from './revoke-consent.ts'
import { type HasPollingUnderConsent, releaseConsentTokens } from './tokens/consent-tokens.ts'
import { purgeUnattendedReads } from './unattended-reads/unattended-read-store.ts'

const LEASE_SECONDS = 60

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
    unattendedReadRetentionSweep(context),
  ]
}

/** Not part of `nextDue`: a test clock that is advanced by months does not stop at each daily read. */
function consentRefreshSweep(context: Context): Sweep {
  const { dueStatement: _, ...sweep } = dueRowSweep(context, refreshingJob, (key) => pollConsent(context, key))
  return { ...sweep, nextDue: async () => null }
}

/** A counter is valid on its day only, in the bank's time zone; it is stored longer for support. */
const READ_RETENTION = { days: 7 }
const ROWS_PER_BATCH = 500

function unattendedReadRetentionSweep(context: Context): Sweep {
  return retentionSweep('unattended read retention', context, (_real, purge) => {
    const before = context.clock.today('UTC').subtract(READ_RETENTION)
    return purge.run('counters', ROWS_PER_BATCH, (range) => purgeUnattendedReads(context.database, before, range))
  })
}
