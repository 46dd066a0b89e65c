/** Reads an authorisation at the bank; askers for a code share one call, and the bank is asked about once a second. */
import type { AuthorisationState } from '../banks/connector/sca-authorisation.ts'
import type { Context } from '../context.ts'
import type { BegunStep, Signing, SigningKind } from './signing.ts'
import { isOver } from './standing.ts'

type Reading = { readonly askedAt: Temporal.Instant; readonly state: Promise<AuthorisationState> }

/** A code is a second old at most when it arrives; counted from when the bank was asked, so the way to the partner is left. */
const SHARED_MILLISECONDS = 800

/** What this process has asked of late, by authorisation. */
const readings = new Map<string, Reading>()

/** Once its time is over, the bank is asked for certain: it may have been signed within the last second. */
export async function readAuthorisation(
  context: Context,
  kind: SigningKind,
  signing: Signing,
  step: BegunStep,
): Promise<AuthorisationState> {
  if (step.way !== 'code' || isOver(context, signing)) {
    return await kind.read(context, signing, step)
  }
  const now = context.clock.real()
  forgetOlder(now)
  const key = `${signing.id} ${step.authorisationId}`
  const shared = readings.get(key)
  if (shared !== undefined && isFresh(shared, now)) {
    return await shared.state
  }
  const reading = { askedAt: now, state: kind.read(context, signing, step) }
  readings.set(key, reading)
  reading.state.catch(() => {
    readings.delete(key)
  })
  return await reading.state
}

/** They were set in order of time. */
function forgetOlder(now: Temporal.Instant): void {
  for (const [key, reading] of readings) {
    if (isFresh(reading, now)) {
      return
    }
    readings.delete(key)
  }
}

/** One of a time to come was made before somebody set the machine's clock back. */
function isFresh({ askedAt }: Reading, now: Temporal.Instant): boolean {
  const age = now.epochMilliseconds - askedAt.epochMilliseconds
  return age >= 0 && age < SHARED_MILLISECONDS
}
