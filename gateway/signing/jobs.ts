/** Follows signings whose browser does not come back, and closes those whose time is over. */

import { markLookedLate, postponeLateLook } from '../authorisations/store/sca-session-end-store.ts'
import { postponeSigning, releaseSigning } from '../authorisations/store/sca-session-poll-store.ts'
import { findSigning } from '../authorisations/store/sca-session-store.ts'
import { callSecondsMax } from '../banks/transport/call-seconds-max.ts'
import type { Context } from '../context.ts'
import type { RowKey } from '../foundation/due-rows.ts'
import { dueSweep } from '../foundation/due-sweep.ts'
import type { Sweep } from '../foundation/sweep.ts'
import { retryAt } from '../platform/jobs/retry-backoff.ts'
import { carryOn } from './carry-on.ts'
import type { Signing, SigningKinds } from './signing.ts'

/** The authorisation, the order in its place when that is forgotten, the order as it is followed: read, withdrawn, read; a new authorisation. */
const CALLS_PER_SIGNING_MAX = 7
/** What our own statements may add to the bank's time. */
const OWN_SECONDS = 30
/** Between the attempts at a bank that cannot be read, even past the deadline: nothing is closed unread. */
const AFTER_FAILURE = { leastSeconds: 10, mostSeconds: 3600 }

/** Banks that are away for longer than this have forgotten an authorisation of ten minutes when they are back. */
const LOOK_LATE_FOR = { hours: 6 }

const signings = {
  name: 'signings',
  table: 'signings',
  share: 'place',
  column: 'due_at',
  time: 'business',
} as const

/** The sweep over signings. */
export function signingSweep(context: Context, kinds: SigningKinds): Sweep {
  const leaseSeconds = CALLS_PER_SIGNING_MAX * callSecondsMax(context.config) + OWN_SECONDS
  return dueSweep(context, { ...signings, leaseSeconds }, (key) => settle(context, kinds, key))
}

async function settle(context: Context, kinds: SigningKinds, key: RowKey): Promise<void> {
  const signing = await findSigning(context.database, key)
  try {
    if (signing !== undefined) {
      await carryOn(context, kinds[signing.kind], signing)
    }
  } catch (error) {
    context.log.warn({ signingId: key.id, error }, 'a signing could not be read and will be tried again')
    await tryAgain(context, key, signing)
  } finally {
    await releaseSigning(context.database, key)
  }
}

/** A signature that came late is looked for as long as the bank may be away for; then nobody can say more. */
async function tryAgain({ clock, database, log }: Context, key: RowKey, signing: Signing | undefined): Promise<void> {
  const now = clock.now()
  const dueAt = retryAt(signing?.expiresAt ?? now, now, AFTER_FAILURE)
  if (signing?.status !== 'ended') {
    await postponeSigning(database, key, dueAt)
  } else if (Temporal.Instant.compare(now, (signing.endedAt ?? now).add(LOOK_LATE_FOR)) < 0) {
    await postponeLateLook(database, key, dueAt)
  } else {
    log.error(
      { signingId: key.id },
      'whether the bank took a signature late could not be read, and is not looked for any more',
    )
    await markLookedLate(database, key)
  }
}
