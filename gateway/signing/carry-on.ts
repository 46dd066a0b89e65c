/** Carries a signing on for which no browser comes by: looks at it, has lapsed codes made anew, begins what follows. */

import { markSigningRead } from '../authorisations/store/sca-session-poll-store.ts'
import type { Context } from '../context.ts'
import { beginOnce } from './begin-once.ts'
import { findLateSignature } from './find-late-signature.ts'
import { settleSigning } from './settle-signing.ts'
import { currentStep, type Signing, type SigningKind } from './signing.ts'
import { findAgain } from './standing.ts'

/** A code that is new is looked at after this. */
const READ_AFTER = { seconds: 3 }

/** Under the lease of a sweep, which gives it back once this is done. */
export async function carryOn(context: Context, kind: SigningKind, signing: Signing): Promise<void> {
  if (signing.status === 'ended') {
    await findLateSignature(context, kind, signing)
    return
  }
  const { at } = await settleSigning(context, kind, signing)
  const now = at === 'lapsed' || at === 'next' ? await findAgain(context, signing) : signing
  const step = currentStep(now)
  const isToRenew = at === 'lapsed' && step?.state === 'open'
  // The partner shows the code of the next as soon as it is there.
  const isToBegin = at === 'next' && step?.state === 'pending' && now.shownBy === 'partner'
  if (isToRenew || isToBegin) {
    await beginOnce(context, kind, now, { step, psu: null })
    await lookAgain(context, signing)
  }
}

async function lookAgain({ clock, database }: Context, signing: Signing): Promise<void> {
  const at = clock.now()
  await markSigningRead(database, signing, { at, dueAt: at.add(READ_AFTER) })
}
