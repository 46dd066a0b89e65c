/** Follows signings whose browser does not come back, and closes those whose time is over. */
import { callSecondsMax } from '../banks/call-seconds.ts'
import type { Context } from '../context.ts'
import type { RowKey } from '../foundation/due-rows.ts'
import { dueSweep } from '../foundation/due-sweep.ts'
import { retryAt } from '../foundation/retry-delay.ts'
import type { Sweep } from '../foundation/sweeps.ts'
import { settleSigning } from './settle-signing.ts'
import type { SigningKinds } from './signing.ts'
import { postponeSigning } from './signing-due-store.ts'
import { findSigning } from './signing-store.ts'

/** The authorisation, the order in its place when that is forgotten, and the order as it is followed: read, withdrawn, read. */
const CALLS_PER_SIGNING_MAX = 5
/** What our own statements may add to the bank's time. */
const OWN_SECONDS = 30
/** Between the attempts at a bank that cannot be read, even past the deadline: nothing is closed unread. */
const AFTER_FAILURE = { leastSeconds: 10, mostSeconds: 3600 }

const signings = {
  name: 'signings',
  table: 'signings',
  share: 'bic',
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
      await settleSigning(context, kinds[signing.kind], signing)
    }
  } catch (error) {
    context.log.warn({ signingId: key.id, error }, 'a signing could not be read and will be tried again')
    const now = context.clock.now()
    await postponeSigning(context.database, key, retryAt(signing?.expiresAt ?? now, now, AFTER_FAILURE))
  }
}
