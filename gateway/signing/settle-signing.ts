/** Asks the bank how a signing stands, and ends it when the bank has the last word on it. */

import { decideSigning } from '../authorisations/store/sca-session-end-store.ts'
import { markSigningRead } from '../authorisations/store/sca-session-poll-store.ts'
import { markStepRead } from '../authorisations/store/sca-step-store.ts'
import { BankRefusal, type BankRefusalKind } from '../banks/connector/bank-error.ts'
import type { AuthorisationState } from '../banks/connector/sca-authorisation.ts'
import type { Context } from '../context.ts'
import { readAuthorisation } from './read-authorisation.ts'
import {
  type BegunStep,
  currentStep,
  outcomeOf,
  type Signing,
  type SigningKind,
  type SigningOutcome,
  type SigningStep,
  waitsForWord,
} from './signing.ts'
import { findAgain, isExpired, isOver, type Standing, standingOf } from './standing.ts'
import { tellingTimes, tellOutcome, tellUnderClaim } from './tell-outcome.ts'

/** What banks say of an authorisation that is not there any more, or of one whose consent or token is not. */
const FORGOTTEN: ReadonlySet<BankRefusalKind> = new Set([
  'unknown-resource',
  'expired-resource',
  'consent-invalid',
  'token-invalid',
])
/** While the user is at the bank, it is asked this often. */
const READ_EVERY = { seconds: 3 }
/** At an identity provider nothing is asked: what a browser brings is read at once, and this makes good what died then. */
const READ_OWN_EVERY = { seconds: 30 }

/** Codes last for seconds: whoever has not scanned one yet finds another, so often and no more. */
const RENEWALS_MAX = 10
/** Orders last for 30 seconds; the bank's began a moment before it answered us. */
const CODE_LASTS = { seconds: 25 }

/** What was signed shows it by then, at banks that say no more of an authorisation than that it is over. */
const SHOWS_WITHIN = { seconds: 10 }

/** Reads the step that is open, keeps what the bank says, and ends the signing when nothing is left to sign. */
export async function settleSigning(context: Context, kind: SigningKind, signing: Signing): Promise<Standing> {
  if (signing.outcome !== null) {
    return await tellOutcome(context, kind, { ...signing, outcome: signing.outcome })
  }
  const step = currentStep(signing)
  const { steps, isLapsed } =
    step?.state === 'open'
      ? await readStep(context, kind, signing, requireBegun(signing, step))
      : { steps: signing.steps, isLapsed: false }
  const outcome = outcomeNow(context, { ...signing, steps })
  if (outcome !== undefined) {
    const standing = await endSigning(context, kind, { ...signing, steps }, outcome)
    return standing ?? (await settleSigning(context, kind, await findAgain(context, signing)))
  }
  const standing: Standing = isLapsed ? { at: 'lapsed' } : standingOf({ ...signing, steps })
  const read = { at: context.clock.now(), dueAt: nextRead(context, signing, standing) }
  await markSigningRead(context.database, signing, read)
  return standing
}

/** Settles a signing; a bank that cannot be read leaves it as it is known. */
export async function settleIfReadable(context: Context, kind: SigningKind, signing: Signing): Promise<Standing> {
  try {
    return await settleSigning(context, kind, signing)
  } catch (error) {
    if (error instanceof BankRefusal) {
      context.log.warn({ signingId: signing.id, refusal: error.kind }, 'the bank could not say how a signing stands')
      return { at: 'open' }
    }
    throw error
  }
}

/** Settles a signing for somebody who asks, unless it was read at the bank within the last second. */
export async function settleIfStale(context: Context, kind: SigningKind, signing: Signing): Promise<Standing> {
  const now = context.clock.now()
  const isFresh = signing.readAt !== null && Temporal.Instant.compare(signing.readAt.add({ seconds: 1 }), now) > 0
  const mayHaveChanged = signing.status === 'left' || isOver(context, signing)
  if (signing.outcome === null && (isFresh || !mayHaveChanged)) {
    return standingOf(signing)
  }
  return await settleIfReadable(context, kind, signing)
}

/**
 * Ends a signing: one outcome is claimed, its room is told of that one, then the signing is closed with what it came to. A crash in between
 * is made good by a sweep. Undefined, and nothing is ended, when the signing has moved on since it was read.
 */
export async function endSigning(
  context: Context,
  kind: SigningKind,
  signing: Signing,
  outcome: SigningOutcome,
): Promise<Standing | undefined> {
  const decided = await decideSigning(context.database, signing, { outcome, ...tellingTimes(context) })
  return decided && (await tellUnderClaim(context, kind, { ...decided, outcome }))
}

/** A success that waits for the user's word comes to nothing when its time is over. */
function outcomeNow(context: Context, signing: Signing): SigningOutcome | undefined {
  const outcome = outcomeOf(signing.steps)
  const isToWait = outcome === 'success' && waitsForWord(signing)
  if (isOver(context, signing)) {
    return isToWait ? 'cancelled' : (outcome ?? 'cancelled')
  }
  return isToWait ? undefined : outcome
}

/** What is read of an authorisation, or of what is known of one that is forgotten. */
type WordOfBank = Pick<AuthorisationState, 'state' | 'scaStatus' | 'text' | 'isOver'>
type StepsRead = { readonly steps: readonly SigningStep[]; readonly isLapsed: boolean }

/**
 * An authorisation that its bank has let expire is decided by what it would have signed, at once; one that the bank does
 * not know may be found again until its time is over. Undefined when its time is over and the bank lets nobody look any
 * more: the step stays open, and is looked at late. One that is only being abandoned is not closed unread.
 */
async function readAtAll(
  context: Context,
  kind: SigningKind,
  signing: Signing,
  step: BegunStep,
): Promise<WordOfBank | undefined> {
  try {
    return await readAuthorisation(context, kind, signing, step).catch(async (error: unknown) => {
      if (hasExpired(error) || (isForgotten(error) && isOver(context, signing))) {
        return await kind.readForgotten(context, signing, step)
      }
      throw error
    })
  } catch (error) {
    if (error instanceof BankRefusal && error.kind === 'token-invalid' && isExpired(context, signing)) {
      return undefined
    }
    throw error
  }
}

/** A code that nobody scanned leaves its step open: the sweep has another one made. */
async function readStep(context: Context, kind: SigningKind, signing: Signing, step: BegunStep): Promise<StepsRead> {
  const read = await readAtAll(context, kind, signing, step)
  if (read === undefined) {
    return { steps: signing.steps, isLapsed: false }
  }
  if (isUnscanned(context, step, read) && step.renewals < RENEWALS_MAX && !isOver(context, signing)) {
    return { steps: signing.steps, isLapsed: true }
  }
  // What lapsed, or never showed, was signed by nobody and refused by nobody.
  const state = read.state === 'lapsed' || isOverUnsigned(context, step, read) ? 'cancelled' : read.state
  const { authorisationId } = step
  const { scaStatus, isOver: isOverAtBank = false } = read
  const at = context.clock.real()
  await markStepRead(context.database, signing, step, { authorisationId, state, scaStatus, isOver: isOverAtBank, at })
  const steps = signing.steps.map((other) => (other.position === step.position ? { ...other, state } : other))
  return { steps, isLapsed: false }
}

/** Some banks say no more than that it is over; what it would have signed shows the signature within a moment. */
function isOverUnsigned({ clock }: Context, { overAt }: BegunStep, { isOver: isOverAtBank }: WordOfBank): boolean {
  const showsBy = overAt?.add(SHOWS_WITHIN)
  return isOverAtBank === true && showsBy !== undefined && Temporal.Instant.compare(clock.real(), showsBy) >= 0
}

/** Some banks have not a word for an order that is over: one that ended in its first seconds was left in the app. */
function isUnscanned({ clock }: Context, { way, startedAt }: BegunStep, { state, text }: WordOfBank): boolean {
  const lapsesFrom = (startedAt ?? clock.real()).add(CODE_LASTS)
  const isWordless = state === 'cancelled' && text === null
  return (
    way === 'code' && (state === 'lapsed' || (isWordless && Temporal.Instant.compare(clock.real(), lapsesFrom) >= 0))
  )
}

function requireBegun(signing: Signing, step: SigningStep): BegunStep {
  const { authorisationId } = step
  if (authorisationId === null) {
    throw new Error(`Step ${step.position} of signing ${signing.id} is open without an authorisation`)
  }
  return { ...step, authorisationId }
}

/** Banks keep an authorisation for a while after its time; what they forgot will not be remembered. */
export function isForgotten(error: unknown): boolean {
  return error instanceof BankRefusal && FORGOTTEN.has(error.kind)
}

function hasExpired(error: unknown): boolean {
  return error instanceof BankRefusal && error.kind === 'expired-resource'
}

/** The sweep sees at once to what it alone carries on. */
function nextRead({ clock }: Context, signing: Signing, { at }: Standing): Temporal.Instant {
  const now = clock.now()
  if (at === 'lapsed' || (at === 'next' && signing.shownBy === 'partner')) {
    return now
  }
  const next = now.add(signing.identityProvider === null ? READ_EVERY : READ_OWN_EVERY)
  const isSooner = signing.status === 'left' && at === 'open' && Temporal.Instant.compare(next, signing.expiresAt) < 0
  return isSooner ? next : signing.expiresAt
}
