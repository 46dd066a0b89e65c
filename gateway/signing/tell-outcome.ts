/** Tells the room of a signing how it has ended: one at a time does, and whoever else asks waits a moment for that one. */
import { setTimeout as pause } from 'node:timers/promises'
import { claimTelling, markEnded, yieldTelling } from '../authorisations/store/sca-session-end-store.ts'
import { callSecondsMax } from '../banks/transport/call-seconds-max.ts'
import type { Context } from '../context.ts'
import { wallMilliseconds } from '../platform/clock.ts'
import type { Signing, SigningKind, SigningOutcome } from './signing.ts'
import { findAgain, isExpired, type Standing, standingOf } from './standing.ts'

/** Orders are read beside each other, and followed beside each other; a second telling would change nothing. */
const CALLS_MAX = 2
/** If the room cannot take it, it is told again after this. */
const TELL_AGAIN_AFTER = { seconds: 5 }
/** Most rooms have taken it within this time; who waits longer finds the page that waits. */
const WAIT_MILLISECONDS = 1_000
const LOOK_EVERY_MILLISECONDS = 50
/** Banks may let a user finish who began in time: this long after that time, the user is done. */
const LOOK_LATE_AFTER = { minutes: 5 }
/** A user who is at the bank when the signing ends early may sign at any moment. */
const LOOK_SOON_AFTER = { seconds: 3 }

type Decided = Signing & { readonly outcome: SigningOutcome }

/** When an outcome is claimed, and until when whoever claimed it is left alone with telling it. */
export function tellingTimes({ clock, config }: Pick<Context, 'clock' | 'config'>) {
  const at = clock.now()
  return { at, tellingUntil: at.add({ seconds: CALLS_MAX * callSecondsMax(config) }) }
}

/** Tells what was decided before, unless somebody is at it: a process may have died in the middle. */
export async function tellOutcome(context: Context, kind: SigningKind, signing: Decided): Promise<Standing> {
  if (signing.status !== 'decided') {
    return standingOf(signing)
  }
  return (await claimTelling(context.database, signing, tellingTimes(context)))
    ? await tellUnderClaim(context, kind, signing)
    : await awaitTelling(context, signing)
}

/** For whoever has claimed it. */
export async function tellUnderClaim(context: Context, kind: SigningKind, signing: Decided): Promise<Standing> {
  try {
    const outcome = await kind.ended(context, signing, signing.outcome)
    await markEnded(context.database, signing, { outcome, lookLateAt: lateLookAt(context, kind, signing) })
    return { at: 'end', outcome }
  } catch (error) {
    await yieldTelling(context.database, signing, context.clock.now().add(TELL_AGAIN_AFTER))
    throw error
  }
}

/**
 * When to look for a signature that the bank took late; null where that would change nothing. What ended early may be
 * signed at the bank for as long as if it had not: soon, if its user has been sent there.
 */
export function lateLookAt(
  { clock }: Pick<Context, 'clock'>,
  { signedLate }: SigningKind,
  signing: Pick<Signing, 'expiresAt' | 'browserHash' | 'shownBy'>,
): Temporal.Instant | null {
  const now = clock.now()
  if (signedLate === undefined) {
    return null
  }
  if (isExpired({ clock }, signing)) {
    return now.add(LOOK_LATE_AFTER)
  }
  const mayBeAtBank = signing.browserHash !== null || signing.shownBy === 'partner'
  return mayBeAtBank ? now.add(LOOK_SOON_AFTER) : lateLookEnd(signing)
}

/** Until when it is looked for a signature that the bank took late. */
export function lateLookEnd({ expiresAt }: Pick<Signing, 'expiresAt'>): Temporal.Instant {
  return expiresAt.add(LOOK_LATE_AFTER)
}

async function awaitTelling(context: Context, signing: Signing): Promise<Standing> {
  const until = wallMilliseconds() + WAIT_MILLISECONDS
  for (;;) {
    const standing = standingOf(await findAgain(context, signing))
    if (standing.at === 'end' || wallMilliseconds() >= until) {
      return standing
    }
    await pause(LOOK_EVERY_MILLISECONDS)
  }
}
