/** Notifies the module that owns an SCA session of its outcome, one process at a time. */
import { setTimeout as pause } from 'node:timers/promises'
import { callSecondsMax } from '../banks/transport/call-seconds-max.ts'
import type { Context } from '../context.ts'
import { wallMilliseconds } from '../platform/clock.ts'
import type { ScaOutcome, ScaSession, ScaSubject } from './sca-session.ts'
import { isExpired, type RefreshedScaSession, reloadScaSession, withStoredState } from './sca-session-state.ts'
import {
  acquireOwnerNotificationLease,
  recordScaSessionEnded,
  releaseOwnerNotificationLease,
} from './store/sca-session-end-store.ts'

/** Orders are read and followed concurrently; a repeated notification changes nothing. */
const CALLS_MAX = 2
/** Delay before the next attempt when the owner fails. */
const NOTIFY_AGAIN_AFTER = { seconds: 5 }
/** Most owners finish within this time; after it the user sees the waiting page. */
const WAIT_MILLISECONDS = 1_000
const POLL_EVERY_MILLISECONDS = 50
/** Banks may let a user finish who started in time: this long after expiry the user is done. */
const LATE_POLL_AFTER = { minutes: 5 }
/** A user who is at the bank when the session ends early may sign at any moment. */
const SOON_POLL_AFTER = { seconds: 3 }

type DecidedScaSession = ScaSession & { readonly outcome: ScaOutcome }

/** When an outcome is decided, and until when the process that decided it may notify the owner. */
export function ownerNotificationLease({ clock, config }: Pick<Context, 'clock' | 'config'>) {
  const at = clock.now()
  return { at, notificationLeaseUntil: at.add({ seconds: CALLS_MAX * callSecondsMax(config) }) }
}

/**
 * Notifies of an outcome that was decided before, unless another process holds the lease: one may have died in between.
 */
export async function notifySessionOwner(
  context: Context,
  kind: ScaSubject,
  session: DecidedScaSession,
): Promise<RefreshedScaSession> {
  if (session.status !== 'decided') {
    return withStoredState(session)
  }
  return (await acquireOwnerNotificationLease(context.database, session, ownerNotificationLease(context)))
    ? await notifyOwnerUnderLease(context, kind, session)
    : await awaitOwnerNotification(context, session)
}

/** For the process that holds the lease. */
export async function notifyOwnerUnderLease(
  context: Context,
  kind: ScaSubject,
  session: DecidedScaSession,
): Promise<RefreshedScaSession> {
  try {
    const outcome = await kind.ended(context, session, session.outcome)
    await recordScaSessionEnded(context.database, session, {
      outcome,
      lateSignaturePollAt: nextLateSignaturePoll(context, kind, session),
    })
    return { at: 'end', outcome, session: { ...session, status: 'ended', outcome } }
  } catch (error) {
    await releaseOwnerNotificationLease(context.database, session, context.clock.now().add(NOTIFY_AGAIN_AFTER))
    throw error
  }
}

/**
 * When to poll for a late signature; null where it would change nothing. A session that ended early can be signed until
 * its expiry: polled soon if its user was sent to the bank.
 */
export function nextLateSignaturePoll(
  { clock }: Pick<Context, 'clock'>,
  { onLateSignature }: ScaSubject,
  session: Pick<ScaSession, 'expiresAt' | 'browserHash' | 'shownBy'>,
): Temporal.Instant | null {
  const now = clock.now()
  if (onLateSignature === undefined) {
    return null
  }
  if (isExpired({ clock }, session)) {
    return now.add(LATE_POLL_AFTER)
  }
  const mayBeAtBank = session.browserHash !== null || session.shownBy === 'partner'
  return mayBeAtBank ? now.add(SOON_POLL_AFTER) : lateSignaturePollEnd(session)
}

/** Until when late signatures are polled for. */
export function lateSignaturePollEnd({ expiresAt }: Pick<ScaSession, 'expiresAt'>): Temporal.Instant {
  return expiresAt.add(LATE_POLL_AFTER)
}

async function awaitOwnerNotification(context: Context, session: ScaSession): Promise<RefreshedScaSession> {
  const until = wallMilliseconds() + WAIT_MILLISECONDS
  for (;;) {
    const stored = withStoredState(await reloadScaSession(context, session))
    if (stored.at === 'end' || wallMilliseconds() >= until) {
      return stored
    }
    await pause(POLL_EVERY_MILLISECONDS)
  }
}
