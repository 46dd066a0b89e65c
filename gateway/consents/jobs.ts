/** Runs the jobs on consents: expiry, reading them at their banks, revocation, the release of tokens, and their retention. */

import type { Context } from '../context.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import { attemptOf, processRow } from '../platform/jobs/process-row.ts'
import { retentionSweep } from '../platform/jobs/retention-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../platform/jobs/sweep-runner.ts'
import { expireOrCheckConsent } from './expiry/expire-consent.ts'
import { pollConsent } from './poll-consent.ts'
import { revokeAtBank } from './revoke-consent.ts'
import { type BankTokenKey, deleteTokens, listTokenSubjects } from './tokens/bank-token-store.ts'
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

type OrderKey = { readonly partnerId: string; readonly id: string }

/** Which of these are orders that have been final since before then, and that nothing needs their bank for. */
type ListOrdersFinalBefore = (
  database: Context['database'],
  keys: readonly OrderKey[],
  before: Temporal.Instant,
) => Promise<readonly OrderKey[]>

/** Longer than any final order is polled. */
const TOKEN_RETENTION = { hours: 90 * 24 }
const ORDER_TOKENS = 'order token retention'

/** A page of all tokens at a time: whether they are needed is a matter of their orders. */
export function orderTokenRetentionSweep(context: Context, listOrdersFinalBefore: ListOrdersFinalBefore): Sweep {
  const { database, clock } = context
  let after: BankTokenKey | undefined
  return retentionSweep(ORDER_TOKENS, context, async () => {
    const page = await listTokenSubjects(database, after, ROWS_PER_BATCH)
    after = page.length < ROWS_PER_BATCH ? undefined : page.at(-1)
    const keys = page.map(({ partnerId, subjectId: id }) => ({ partnerId, id }))
    let deleted = 0
    for (const { partnerId, id } of await listOrdersFinalBefore(
      database,
      keys,
      clock.now().subtract(TOKEN_RETENTION),
    )) {
      const attempt = await attemptOf(context, { sweep: ORDER_TOKENS, partnerId, rowId: id })
      const work = () => inTransaction(context, (within) => deleteTokens(within.database.query, partnerId, [id]))
      // One that fails is found again in the next round over all.
      deleted += (await processRow(context, attempt, work, async () => undefined)) ? 1 : 0
    }
    return deleted
  })
}
