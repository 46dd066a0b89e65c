/** Asks the bank how a signing stands, and ends it when the bank has the last word on it. */
import { BankRefusal } from '../banks/bank-refusal.ts'
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
import { markStepRead } from './signing-step-store.ts'
import { findSigning, markEnded } from './signing-store.ts'

/** How a signing stands: `open` at the bank, ready for the `next` authorisation, or ended. */
export type Standing = { readonly at: 'open' | 'next' } | { readonly at: 'end'; readonly outcome: SigningOutcome }

/** While the user is at the bank, it is asked this often. */
const READ_EVERY = { seconds: 3 }

/** Reads the step that is open, keeps what the bank says, and ends the signing when nothing is left to sign. */
export async function settleSigning(context: Context, kind: SigningKind, signing: Signing): Promise<Standing> {
  if (signing.outcome !== null) {
    return { at: 'end', outcome: signing.outcome }
  }
  const step = currentStep(signing)
  const steps = step?.state === 'open' ? await readStep(context, kind, signing, step) : signing.steps
  const outcome = outcomeOf(steps)
  if (outcome !== undefined) {
    return await endSigning(context, kind, { ...signing, steps }, outcome)
  }
  if (Temporal.Instant.compare(context.clock.now(), signing.expiresAt) >= 0) {
    return await endSigning(context, kind, { ...signing, steps }, 'cancelled')
  }
  await markSigningRead(context.database, signing, { at: context.clock.now(), dueAt: nextRead(context, signing) })
  return { at: currentStep({ steps })?.state === 'pending' ? 'next' : 'open' }
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
  const mayHaveChanged = signing.status === 'left' || Temporal.Instant.compare(now, signing.expiresAt) >= 0
  if (signing.outcome === null && (isFresh || !mayHaveChanged)) {
    return { at: 'open' }
  }
  return await settleIfReadable(context, kind, signing)
}

/** Ends a signing: first its room learns, then the signing is closed, so that a crash in between is made good. */
export async function endSigning(
  context: Context,
  kind: SigningKind,
  signing: Signing,
  outcome: SigningOutcome,
): Promise<Standing> {
  await kind.ended(context, signing, outcome)
  await markEnded(context.database, signing, outcome, context.clock.now())
  const kept = await findSigning(context.database, signing)
  return { at: 'end', outcome: kept?.outcome ?? outcome }
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
  const read = await kind.read(context, signing, { ...step, authorisationId })
  const { state, scaStatus }: AuthorisationState = read
  await markStepRead(context.database, signing, step.position, { state, scaStatus, at: context.clock.real() })
  return signing.steps.map((other) => (other.position === step.position ? { ...other, state } : other))
}

function nextRead({ clock }: Context, signing: Signing): Temporal.Instant {
  const next = clock.now().add(READ_EVERY)
  const isSooner = signing.status === 'left' && Temporal.Instant.compare(next, signing.expiresAt) < 0
  return isSooner ? next : signing.expiresAt
}
