/** Looks for a signature that the bank took after the signing had ended: what was signed must not pass for unsigned. */
import type { Context } from '../context.ts'
import { retryAt } from '../foundation/retry-delay.ts'
import { isForgotten } from './settle-signing.ts'
import { type BegunStep, isSigned, openStep, type Signing, type SigningKind } from './signing.ts'
import { markLookedLate, postponeLateLook } from './signing-end-store.ts'
import { markStepSignedLate } from './signing-step-store.ts'
import { lateLookEnd } from './tell-outcome.ts'

/** Between two looks while the user may still sign. */
const LOOK_AGAIN = { leastSeconds: 5, mostSeconds: 60 }

/** Whether there is one, which is recorded then. Throws the bank's refusal where the bank does not say. */
export async function findLateSignature(context: Context, kind: SigningKind, signing: Signing): Promise<boolean> {
  const { clock, database, log } = context
  const step = openStep(signing)
  const read = step && (await readLate(context, kind, signing, step))
  if (step !== undefined && read !== undefined && isSigned(read)) {
    log.warn({ signingId: signing.id }, 'the bank took a signature after its signing had ended')
    await kind.signedLate?.(context, signing, step)
    await markStepSignedLate(database, signing, step, { scaStatus: read.scaStatus, at: clock.real() })
    await markLookedLate(database, signing)
    return true
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
  return false
}

/** What the bank has forgotten, or untied when it ended, is not asked after for hours: the thing itself tells. */
async function readLate(context: Context, kind: SigningKind, signing: Signing, step: BegunStep) {
  return await kind.read(context, signing, step).catch(async (error: unknown) => {
    if (isForgotten(error)) {
      return await kind.readForgotten(context, signing, step)
    }
    throw error
  })
}
