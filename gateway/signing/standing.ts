/** How a signing stands, as far as it is known here, without a word of the bank. */

import { findSigning } from '../authorisations/store/sca-session-store.ts'
import type { Context } from '../context.ts'
import {
  currentStep,
  nextWaitsForWord,
  outcomeForUser,
  type Signing,
  type SigningOutcome,
  waitsForWord,
} from './signing.ts'

/**
 * `open` at the bank, `lapsed` there because nobody scanned the code, ready for the `next` authorisation, signed and
 * waiting for the user's `word`, or ended.
 */
export type Standing =
  | { readonly at: 'open' | 'lapsed' | 'next' | 'word' }
  | { readonly at: 'end'; readonly outcome: SigningOutcome }

/** How a signing stands. */
export function standingOf(signing: Signing): Standing {
  const { status } = signing
  const outcome = outcomeForUser(signing)
  if (status === 'ended' && outcome !== null) {
    return { at: 'end', outcome }
  }
  if (outcome !== null) {
    return { at: 'open' }
  }
  const step = currentStep(signing)
  if (step === undefined) {
    return { at: waitsForWord(signing) ? 'word' : 'open' }
  }
  if (step.state === 'pending') {
    return { at: nextWaitsForWord(signing) ? 'word' : 'next' }
  }
  return { at: 'open' }
}

/** Whether the authorisation at hand is to be closed: its time is over, or it is being abandoned. */
export function isOver(
  { clock }: Pick<Context, 'clock'>,
  signing: Pick<Signing, 'expiresAt' | 'isAbandoned'>,
): boolean {
  return signing.isAbandoned === true || isExpired({ clock }, signing)
}

/** Whether the time of the authorisation at hand is over. */
export function isExpired({ clock }: Pick<Context, 'clock'>, { expiresAt }: Pick<Signing, 'expiresAt'>): boolean {
  return Temporal.Instant.compare(clock.now(), expiresAt) >= 0
}

/** The signing as it is kept now, for whoever finds that it has moved on. */
export async function findAgain({ database }: Context, signing: Pick<Signing, 'partnerId' | 'id'>): Promise<Signing> {
  const kept = await findSigning(database, signing)
  if (kept === undefined) {
    throw new Error(`Signing ${signing.id} is gone`)
  }
  return kept
}
