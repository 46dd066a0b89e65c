/** Asks the bank how a signing stands, and ends it when the bank has the last word on it. */
import { BankRefusal, type BankRefusalKind } from '../banks/bank-refusal.ts'
import type { AuthorisationState } from '../banks/connector.ts'
import type { Context } from '../context.ts'
import {
  currentStep,
  outcomeOf,
  type Signing,
  type SigningKind,
  type SigningOutcome,
  type SigningStep,
} from './signing.ts'
import { markSigningRead } from './signing-due-store.ts'
import { decideSigning, markEnded } from './signing-end-store.ts'
import { markStepRead } from './signing-step-store.ts'
import { findSigning } from './signing-store.ts'

/** How a signing stands: `open` at the bank, ready for the `next` authorisation, or ended. */
export type Standing = { readonly at: 'open' | 'next' } | { readonly at: 'end'; readonly outcome: SigningOutcome }

/** What banks say of an authorisation that is not there any more, or of one whose consent is not. */
const FORGOTTEN: ReadonlySet<BankRefusalKind> = new Set(['unknown-resource', 'expired-resource', 'consent-invalid'])
/** While the user is at the bank, it is asked this often. */
const READ_EVERY = { seconds: 3 }

/** A process that claimed an outcome tells the room; if it cannot, a sweep does so after this. */
const TELL_AGAIN_AFTER = { seconds: 5 }

/** Reads the step that is open, keeps what the bank says, and ends the signing when nothing is left to sign. */
export async function settleSigning(context: Context, kind: SigningKind, signing: Signing): Promise<Standing> {
  if (signing.outcome !== null) {
    return await tell(context, kind, { ...signing, outcome: signing.outcome })
  }
  const step = currentStep(signing)
  const steps = step?.state === 'open' ? await readStep(context, kind, signing, step) : signing.steps
  const outcome = outcomeOf(steps) ?? (isOver(context, signing) ? 'cancelled' : undefined)
  if (outcome !== undefined) {
    const standing = await endSigning(context, kind, { ...signing, steps }, outcome)
    return standing ?? (await settleSigning(context, kind, await findAgain(context, signing)))
  }
  await markSigningRead(context.database, signing, { at: context.clock.now(), dueAt: nextRead(context, signing) })
  return standingOf({ ...signing, steps })
}

/** How a signing stands as far as it is known here, without a word of the bank. */
export function standingOf({ status, outcome, steps }: Signing): Standing {
  if (status === 'ended' && outcome !== null) {
    return { at: 'end', outcome }
  }
  return { at: currentStep({ steps })?.state === 'pending' ? 'next' : 'open' }
}

/** The signing as it is kept now, for whoever finds that it has moved on. */
export async function findAgain({ database }: Context, signing: Signing): Promise<Signing> {
  const kept = await findSigning(database, signing)
  if (kept === undefined) {
    throw new Error(`Signing ${signing.id} is gone`)
  }
  return kept
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
  const at = context.clock.now()
  const decision = { outcome, at, tellAgainAt: at.add(TELL_AGAIN_AFTER) }
  const decided = await decideSigning(context.database, signing, decision)
  return decided && (await tell(context, kind, { ...decided, outcome }))
}

async function tell(
  context: Context,
  kind: SigningKind,
  signing: Signing & { readonly outcome: SigningOutcome },
): Promise<Standing> {
  if (signing.status !== 'decided') {
    return { at: 'end', outcome: signing.outcome }
  }
  const outcome = await kind.ended(context, signing, signing.outcome)
  await markEnded(context.database, signing, outcome)
  return { at: 'end', outcome }
}

async function readStep(
  context: Context,
  kind: SigningKind,
  signing: Signing,
  step: SigningStep,
): Promise<readonly SigningStep[]> {
  const { authorisationId } = step
  if (authorisationId === null) {
    throw new Error(`Step ${step.position} of signing ${signing.id} is open without an authorisation`)
  }
  const read = await kind.read(context, signing, { ...step, authorisationId }).catch(async (error: unknown) => {
    if (isForgotten(error) && isOver(context, signing)) {
      return await kind.readForgotten(context, signing, step)
    }
    throw error
  })
  const { state, scaStatus }: AuthorisationState = read
  await markStepRead(context.database, signing, step.position, { state, scaStatus, at: context.clock.real() })
  return signing.steps.map((other) => (other.position === step.position ? { ...other, state } : other))
}

/** Banks keep an authorisation for a while after its time; what they forgot will not be remembered. */
function isForgotten(error: unknown): boolean {
  return error instanceof BankRefusal && FORGOTTEN.has(error.kind)
}

/** Whether the time of the authorisation at hand is over. */
export function isOver({ clock }: Pick<Context, 'clock'>, { expiresAt }: Pick<Signing, 'expiresAt'>): boolean {
  return Temporal.Instant.compare(clock.now(), expiresAt) >= 0
}

function nextRead({ clock }: Context, signing: Signing): Temporal.Instant {
  const next = clock.now().add(READ_EVERY)
  const isSooner = signing.status === 'left' && Temporal.Instant.compare(next, signing.expiresAt) < 0
  return isSooner ? next : signing.expiresAt
}
