/** Looks for a signature that the bank took after the signing had ended: what was signed must not pass for unsigned. */

import { markLookedLate, postponeLateLook } from '../authorisations/store/sca-session-end-store.ts'
import { markStepSignedLate } from '../authorisations/store/sca-step-store.ts'
import type { AuthorisationState } from '../banks/connector/sca-authorisation.ts'
import type { Context } from '../context.ts'
import { retryAt } from '../platform/jobs/retry-backoff.ts'
import { isForgotten } from './settle-signing.ts'
import { type BegunStep, isSigned, openStep, type Signing, type SigningKind } from './signing.ts'
import { lateLookEnd } from './tell-outcome.ts'

/** Between two looks while the user may still sign. */
const LOOK_AGAIN = { leastSeconds: 3, mostSeconds: 60 }

/**
 * Records it where there is one; that it is of this signing, only where the authorisation itself shows it. Throws the
 * bank's refusal where the bank does not say.
 */
export async function findLateSignature(context: Context, kind: SigningKind, signing: Signing): Promise<void> {
  const { clock, database, log } = context
  const step = openStep(signing)
  const read = step && (await readLate(context, kind, signing, step))
  if (step !== undefined && read !== undefined && isSigned(read)) {
    log.warn({ signingId: signing.id }, 'the bank took a signature after its signing had ended')
    await kind.signedLate?.(context, signing, step)
    if (!read.isForgotten) {
      await markStepSignedLate(database, signing, step, { scaStatus: read.scaStatus, at: clock.real() })
    }
    await markLookedLate(database, signing)
    return
  }
  const now = clock.now()
  const end = lateLookEnd(signing)
  const mayBeSigned = read?.state === 'open' && Temporal.Instant.compare(now, end) < 0
  if (mayBeSigned) {
    const next = retryAt(signing.endedAt ?? now, now, LOOK_AGAIN)
    await postponeLateLook(database, signing, Temporal.Instant.compare(next, end) < 0 ? next : end)
  } else {
    await markLookedLate(database, signing)
  }
}

type ReadLate = {
  readonly state: AuthorisationState['state']
  readonly scaStatus: string
  readonly isForgotten: boolean
}

/**
 * What the bank has forgotten, or untied when it ended, is not asked after for hours: the thing itself tells. It may have
 * been signed by a newer authorisation.
 */
async function readLate(context: Context, kind: SigningKind, signing: Signing, step: BegunStep): Promise<ReadLate> {
  try {
    return { ...(await kind.read(context, signing, step)), isForgotten: false }
  } catch (error) {
    if (isForgotten(error)) {
      return { ...(await kind.readForgotten(context, signing, step)), isForgotten: true }
    }
    throw error
  }
}
