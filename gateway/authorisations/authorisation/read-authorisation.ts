/** Reads an authorisation at the bank; concurrent requests for a QR code share one call, about one a second. */
import type { AuthorisationState } from '../../banks/connector/sca-authorisation.ts'
import type { Context } from '../../context.ts'
import type { ScaSession, ScaSubject, StartedScaStep } from '../sca-session.ts'
import { isOver } from '../sca-session-state.ts'

type SharedRead = { readonly askedAt: Temporal.Instant; readonly state: Promise<AuthorisationState> }

/**
 * Dynamic codes change each second; counted from the request to the bank, so 200 ms are left for the answer to the
 * partner.
 */
const SHARED_MILLISECONDS = 800

/** Reads of this process, by session and authorisation. */
const readsInFlight = new Map<string, SharedRead>()

/** After expiry the shared read is not used: the authorisation may have been signed within the last second. */
export async function readAuthorisation(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  step: StartedScaStep,
): Promise<AuthorisationState> {
  if (step.approach !== 'code' || isOver(context, session)) {
    return await kind.read(context, session, step)
  }
  const now = context.clock.real()
  evictStaleReads(now)
  const key = `${session.id} ${step.authorisationId}`
  const shared = readsInFlight.get(key)
  if (shared !== undefined && isFresh(shared, now)) {
    return await shared.state
  }
  const reading = { askedAt: now, state: kind.read(context, session, step) }
  readsInFlight.set(key, reading)
  reading.state.catch(() => {
    readsInFlight.delete(key)
  })
  return await reading.state
}

/** The next read asks the bank: the user has acted there, which a shared read of before does not show. */
export function discardSharedReads({ id }: Pick<ScaSession, 'id'>): void {
  for (const key of readsInFlight.keys()) {
    if (key.startsWith(`${id} `)) {
      readsInFlight.delete(key)
    }
  }
}

/** The map is in insertion order, hence in order of time. */
function evictStaleReads(now: Temporal.Instant): void {
  for (const [key, reading] of readsInFlight) {
    if (isFresh(reading, now)) {
      return
    }
    readsInFlight.delete(key)
  }
}

/** A negative age means that the machine's clock was set back. */
function isFresh({ askedAt }: SharedRead, now: Temporal.Instant): boolean {
  const age = now.epochMilliseconds - askedAt.epochMilliseconds
  return age >= 0 && age < SHARED_MILLISECONDS
}
