/** Starts the authorisation of a step under a lease: browsers and the poll job may request it concurrently. */

import { BankError } from '../../banks/connector/bank-error.ts'
import { callSecondsMax } from '../../banks/transport/bank-call-limits.ts'
import type { Context } from '../../context.ts'
import { earlierOf } from '../../platform/clock.ts'
import type { PsuSession } from '../../platform/http/operations/served-operation.ts'
import { leaseFor } from '../../platform/jobs/lease.ts'
import { waitUntil } from '../../platform/wait-until.ts'
import { reloadScaSession } from '../find-sca-sessions.ts'
import {
  currentScaStep,
  nextStepAwaitsConfirmation,
  type ScaSession,
  type ScaStep,
  type ScaSubject,
} from '../sca-session.ts'
import { nextLateSignaturePoll } from '../sca-session-state.ts'
import {
  acquireStartLease,
  insertLateStart,
  recordStepStart,
  releaseStartLease,
} from '../store/authorisation-start-store.ts'
import type { StepStart } from '../store/sca-session-tables.ts'
import { startStepAuthorisation } from './start-step-authorisation.ts'

/** A token may be requested and refreshed (two calls), and some banks need two calls to start an authorisation. */
const CALLS_MAX = 4
/** Allowance for our own statements. */
const OWN_SECONDS = 5
/** Most banks start an authorisation within this time; after it the request fails as `unavailable`. */
const WAITING = { withinMilliseconds: 20_000, everyMilliseconds: 100 }

/** The user's session; null when the user is not present. */
type Requester = { readonly psu: PsuSession | null }

/**
 * Starts a pending step, or replaces an authorisation that expired. False when another process holds the lease or the
 * step has changed.
 */
export async function startAuthorisationUnderLease(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  { step, psu }: Requester & { readonly step: ScaStep },
): Promise<boolean> {
  const { clock, config, database } = context
  const lease = leaseFor(context, { seconds: CALLS_MAX * callSecondsMax(config) + OWN_SECONDS })
  const { until } = lease
  if (!(await acquireStartLease(database, session, step, lease))) {
    return false
  }
  try {
    const { start } = await startStepAuthorisation(context, session, (request) =>
      kind.begin(context, { ...session, psu }, step, request),
    )
    if (session.shownBy === 'partner' && start.methodsSealed !== null) {
      throw new BankError('unsupported', 'The user has to choose an SCA method, for which the partner has no page')
    }
    const expiry = clock.now().add({ seconds: session.stepSeconds })
    const expiresAt = earlierOf(expiry, (await kind.signBy?.(context, session)) ?? expiry)
    if (!(await recordStepStart(database, session, step, { start, until, expiresAt }))) {
      await recordLateStart(context, kind, session, { step, start, until, expiresAt })
    }
    return true
  } catch (error) {
    await releaseStartLease(database, session, step, lease)
    throw error
  }
}

type LateStart = {
  readonly step: ScaStep
  readonly start: StepStart
  readonly until: Temporal.Instant
  readonly expiresAt: Temporal.Instant
}

/** The session ended meanwhile, but the authorisation exists at the bank and may still be signed there. */
async function recordLateStart(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  { step, start, until, expiresAt }: LateStart,
): Promise<void> {
  // The browser for which it started may have used the link after the session was read.
  const stored = await reloadScaSession(context, session)
  const lateSignaturePollAt = nextLateSignaturePoll(context, kind, { ...stored, expiresAt })
  if (await insertLateStart(context.database, session, step, { start, until, lateSignaturePollAt })) {
    context.log.info(
      { scaSessionId: session.id },
      'an authorisation was started at the bank while its SCA session was ending',
    )
    await kind.onLateStart?.(context, session)
    if (start.state === 'exempt' && stored.outcome !== null) {
      // An exempt authorisation is in force at the bank already; the poll for late signatures only repeats this if it
      // fails here.
      await kind.onLateSignature?.(context, session, { ...step, authorisationId: start.authorisationId })
    }
  }
}

/**
 * Returns the session with its current step started, waiting for another process that holds the lease. Throws
 * `unavailable` when that takes too long.
 */
export async function ensureAuthorisationStarted(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  by: Requester,
): Promise<ScaSession> {
  let stored: ScaSession | undefined = session
  const startOrReload = async (): Promise<ScaSession> => {
    const current: ScaSession = stored ?? (await reloadScaSession(context, session))
    stored = undefined
    const step = stepToStart(current)
    return step !== undefined && (await startAuthorisationUnderLease(context, kind, current, { ...by, step }))
      ? await reloadScaSession(context, current)
      : current
  }
  const started = await waitUntil(startOrReload, (current) => stepToStart(current) === undefined, WAITING)
  if (stepToStart(started) !== undefined) {
    throw new BankError('unavailable', 'Another request is still starting the authorisation')
  }
  return started
}

function stepToStart(session: ScaSession): ScaStep | undefined {
  const step = currentScaStep(session)
  return session.outcome === null && !nextStepAwaitsConfirmation(session) && step?.state === 'pending'
    ? step
    : undefined
}
