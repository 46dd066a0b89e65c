/** Polls SCA sessions whose browser does not return, and closes expired ones. */
import { BankError, retryAfterOf } from '../banks/connector/bank-error.ts'
import { callSecondsMax } from '../banks/transport/bank-call-limits.ts'
import type { Context } from '../context.ts'
import { IdentityProviderError } from '../identity/identity-provider.ts'
import type { RowKey } from '../platform/jobs/due-row-scan.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import { nextAttemptAt } from '../platform/jobs/retry-backoff.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { findScaSession } from './find-sca-sessions.ts'
import { resumeScaSession } from './resume-sca-session.ts'
import type { ScaSession, ScaSubjects } from './sca-session.ts'
import { releaseScaSessionLease, scheduleScaPoll } from './store/sca-session-store.ts'

/**
 * Reading the authorisation or the order in its place, following the order (read, cancel, read), starting a new
 * authorisation.
 */
const CALLS_PER_SESSION_MAX = 7
/** Allowance for our own statements. */
const OWN_SECONDS = 30
/** Backoff while a bank is unavailable, even past the deadline: no session is closed unread. */
const AFTER_FAILURE = { leastSeconds: 10, mostSeconds: 3600 }

/** A bank that is unavailable for longer has deleted a ten-minute authorisation by the time that it is back. */
const LATE_POLL_FOR = { hours: 6 }

const sessions = {
  name: 'SCA sessions',
  table: 'sca_sessions',
  partition: 'sca_provider',
  column: 'due_at',
  time: 'business',
  // In a move of the sandbox clock the banks report nothing new between their events.
  toleranceMilliseconds: 20_000,
} as const

export function scaSessionSweep(context: Context, subjects: ScaSubjects): Sweep {
  const leaseSeconds = CALLS_PER_SESSION_MAX * callSecondsMax(context.config) + OWN_SECONDS
  return dueRowSweep(context, { ...sessions, leaseSeconds }, (key) => pollSession(context, subjects, key))
}

async function pollSession(context: Context, subjects: ScaSubjects, key: RowKey): Promise<void> {
  const session = await findScaSession(context, key)
  if (session === undefined) {
    return
  }
  try {
    await resumeScaSession(context, subjects[session.kind], session)
  } catch (error) {
    if (!(error instanceof BankError || error instanceof IdentityProviderError)) {
      throw error
    }
    context.log.warn({ scaSessionId: key.id, error }, 'an SCA session could not be read; it will be retried')
    await scheduleRetry(context, session, retryAfterOf(error))
  } finally {
    await releaseScaSessionLease(context.database, key)
  }
}

/**
 * Late signatures are polled for as long as the bank may be unavailable; then polling stops with an error in the log.
 */
async function scheduleRetry(
  { clock, database, log }: Context,
  session: ScaSession,
  retryAfterSeconds: number | null,
): Promise<void> {
  const now = clock.now()
  const isLast =
    session.status === 'ended' && Temporal.Instant.compare(now, (session.endedAt ?? now).add(LATE_POLL_FOR)) >= 0
  if (isLast) {
    log.error({ scaSessionId: session.id }, 'polling for a late signature gave up: the bank could not be read')
  }
  const next = nextAttemptAt(session.expiresAt, now, AFTER_FAILURE, retryAfterSeconds)
  await scheduleScaPoll(database, session, isLast ? null : next)
}
