/** Resumes an SCA session without a browser: polls it, renews expired codes, starts the next step. */

import { isPartnerDisabled } from '../auth/list-partners.ts'
import type { AuthorisationState } from '../banks/connector/sca-authorisation.ts'
import type { Context } from '../context.ts'
import { earlierOf } from '../platform/clock.ts'
import { nextAttemptAt } from '../platform/jobs/retry-backoff.ts'
import { startAuthorisationUnderLease } from './authorisation/start-authorisation-under-lease.ts'
import { completeScaSession, isAuthorisationGone, refreshScaSession } from './refresh-sca-session.ts'
import {
  currentScaStep,
  isSigned,
  openScaStep,
  type ScaSession,
  type ScaSubject,
  type StartedScaStep,
} from './sca-session.ts'
import { lateSignaturePollEnd } from './sca-session-state.ts'
import { recordStepSignedLate } from './store/authorisation-start-store.ts'
import { recordScaSessionPolled, scheduleScaPoll } from './store/sca-session-store.ts'

/** Poll delay after a new code. */
const READ_AFTER = { seconds: 3 }

/** Runs under the lease of the poll job, which releases it afterwards. */
export async function resumeScaSession(context: Context, kind: ScaSubject, session: ScaSession): Promise<void> {
  if (session.status === 'ended') {
    await findLateSignature(context, kind, session)
    return
  }
  const { at, session: now } = await refreshScaSession(context, kind, session)
  const step = currentScaStep(now)
  const isToRenew = at === 'expired' && step?.state === 'open'
  // The partner shows the next code as soon as it exists.
  const isToBegin = at === 'next' && step?.state === 'pending' && now.shownBy === 'partner'
  if ((isToRenew || isToBegin) && (await isPartnerDisabled(context, session.partnerId))) {
    // As for links: nothing is started at a bank, and the partner cannot show the code.
    await completeScaSession(context, kind, now, 'cancelled')
  } else if (isToRenew || isToBegin) {
    await startAuthorisationUnderLease(context, kind, now, { step, psu: null })
    const readAt = context.clock.now()
    await recordScaSessionPolled(context.database, session, { at: readAt, dueAt: readAt.add(READ_AFTER) })
  }
}

/** Interval between two reads while the user may still sign. */
const POLL_INTERVAL = { leastSeconds: 3, mostSeconds: 60 }

/**
 * Records a late signature; as one of this session only where the authorisation itself reports it. Throws the bank's
 * error where the state is unknown.
 */
export async function findLateSignature(context: Context, kind: ScaSubject, session: ScaSession): Promise<void> {
  const { clock, database, log } = context
  const step = openScaStep(session)
  const read = step && (await readAfterEnd(context, kind, session, step))
  if (step !== undefined && read !== undefined && isSigned(read)) {
    log.warn({ scaSessionId: session.id }, 'the bank accepted a signature after its SCA session had ended')
    await kind.onLateSignature?.(context, session, step)
    if (!read.isAuthorisationGone) {
      await recordStepSignedLate(database, session, step, { scaStatus: read.scaStatus, at: clock.real() })
    }
    await scheduleScaPoll(database, session, null)
    return
  }
  const now = clock.now()
  const end = lateSignaturePollEnd(session)
  const mayBeSigned = read?.state === 'open' && Temporal.Instant.compare(now, end) < 0
  const next = nextAttemptAt(session.endedAt ?? now, now, POLL_INTERVAL)
  await scheduleScaPoll(database, session, mayBeSigned ? earlierOf(next, end) : null)
}

type StateAfterEnd = {
  readonly state: AuthorisationState['state']
  readonly scaStatus: string
  readonly isAuthorisationGone: boolean
}

/**
 * Falls back to the target where the bank has deleted the authorisation: the target may have been signed by a newer
 * one.
 */
async function readAfterEnd(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  step: StartedScaStep,
): Promise<StateAfterEnd> {
  try {
    return { ...(await kind.read(context, session, step)), isAuthorisationGone: false }
  } catch (error) {
    if (isAuthorisationGone(error)) {
      return { ...(await kind.readTargetState(context, session, step)), isAuthorisationGone: true }
    }
    throw error
  }
}
