/** Has the authorisation of a kept step begun by one at a time, whoever asks for it: browsers that click twice, and sweeps. */
import { setTimeout as pause } from 'node:timers/promises'
import { beginStep, type StepBegun } from '../authorisations/authorisation/start-step-authorisation.ts'
import {
  claimBeginning,
  keepBegunLate,
  markStepOpen,
  markStepRenewed,
  releaseBeginning,
} from '../authorisations/store/authorisation-start-store.ts'
import { BankRefusal } from '../banks/connector/bank-error.ts'
import { callSecondsMax } from '../banks/transport/call-seconds-max.ts'
import type { Context } from '../context.ts'
import { wallMilliseconds } from '../platform/clock.ts'
import type { PsuSession } from '../platform/http/operations/psu-session.ts'
import { currentStep, nextWaitsForWord, type Signing, type SigningKind, type SigningStep } from './signing.ts'
import { findAgain } from './standing.ts'
import { lateLookAt } from './tell-outcome.ts'

/** A token fetched or renewed, which takes two, and the authorisation begun, for which some banks are asked twice. */
const CALLS_MAX = 4
/** What our own statements may add to the bank's time. */
const OWN_SECONDS = 5
/** Most banks begin one within this time; who waits longer is told to come again. */
const WAIT_MILLISECONDS = 20_000
const LOOK_EVERY_MILLISECONDS = 100

/** For whom it begins; null when the user is not there. */
type By = { readonly psu: PsuSession | null }

/** Begins a pending step, or the next in place of one that lapsed. False when somebody else is at it, or it has moved on. */
export async function beginOnce(
  context: Context,
  kind: SigningKind,
  signing: Signing,
  { step, psu }: By & { readonly step: SigningStep },
): Promise<boolean> {
  const { clock, config, database } = context
  const at = clock.real()
  const until = at.add({ seconds: CALLS_MAX * callSecondsMax(config) + OWN_SECONDS })
  if (!(await claimBeginning(database, signing, step, { at, until }))) {
    return false
  }
  try {
    const { begun } = await beginStep(context, kind, { ...signing, psu }, step)
    const expiresAt = clock.now().add({ seconds: signing.stepSeconds })
    const isKept =
      step.state === 'pending'
        ? await markStepOpen(database, signing, step, { begun, until, expiresAt })
        : await markStepRenewed(database, signing, step, { begun, until })
    if (!isKept) {
      await seeToLate(context, kind, { ...signing, expiresAt }, { step, begun, until })
    }
    return true
  } catch (error) {
    await releaseBeginning(database, signing, step, until)
    throw error
  }
}

type BegunLate = { readonly step: SigningStep; readonly begun: StepBegun; readonly until: Temporal.Instant }

/** The signing was ended meanwhile: what began at the bank is for nobody, and may be signed there all the same. */
async function seeToLate(
  context: Context,
  kind: SigningKind,
  signing: Signing,
  { step, begun, until }: BegunLate,
): Promise<void> {
  const lookLateAt = lateLookAt(context, kind, signing)
  if (await keepBegunLate(context.database, signing, step, { begun, until, lookLateAt })) {
    context.log.info({ signingId: signing.id }, 'an authorisation began at the bank while its signing was ended')
    await kind.begunLate?.(context, signing)
    if (begun.state === 'exempt' && (await findAgain(context, signing)).outcome !== null) {
      // What the bank exempts counts there already, and nobody is to sign it: the late look only makes good what fails here.
      await kind.signedLate?.(context, signing, { ...step, authorisationId: begun.authorisationId })
    }
  }
}

/** The signing with the step at hand begun, be it by somebody else. Throws `unavailable` when that takes too long. */
export async function begunNow(context: Context, kind: SigningKind, signing: Signing, by: By): Promise<Signing> {
  const waitUntil = wallMilliseconds() + WAIT_MILLISECONDS
  let kept = signing
  for (;;) {
    const step = currentStep(kept)
    if (step?.state !== 'pending' || kept.outcome !== null || nextWaitsForWord(kept)) {
      return kept
    }
    if (!(await beginOnce(context, kind, kept, { ...by, step }))) {
      if (wallMilliseconds() >= waitUntil) {
        throw new BankRefusal('unavailable', 'Another request is still having the authorisation begun')
      }
      await pause(LOOK_EVERY_MILLISECONDS)
    }
    kept = await findAgain(context, kept)
  }
}
