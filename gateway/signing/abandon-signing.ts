/** Abandons a signing whose user does not come back: the bank is asked first, and what was signed stays signed. */

import { isToLookAtLate } from '../authorisations/store/sca-session-poll-store.ts'
import { BankRefusal, type BankRefusalKind } from '../banks/connector/bank-error.ts'
import type { Context } from '../context.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { findLateSignature } from './find-late-signature.ts'
import { settleSigning } from './settle-signing.ts'
import { isSigned, type Signing, type SigningKind } from './signing.ts'
import { findAgain } from './standing.ts'

/** A browser that leaves, a code that is renewed or a user who signs at the same moment is quicker; then the bank is asked again. */
const ATTEMPTS_MAX = 5
const ASK_AGAIN_SECONDS = 10

/** What the bank says where nobody can be asked until the user has signed in there anew. */
const UNREADABLE: ReadonlySet<BankRefusalKind> = new Set(['consent-invalid', 'token-invalid'])
/** The bank cannot be asked at this moment. */
const PASSES: ReadonlySet<BankRefusalKind> = new Set(['unavailable', 'outcome-unknown', 'too-many-reads'])

/**
 * Ends it, and answers the ids of the targets that were signed. Ended before, a signature that came late counts, too.
 * Throws 503 or `INVALID_CONSENT` where the bank does not say whether it was signed: then nothing is abandoned.
 */
export async function abandonSigning(
  context: Context,
  kind: SigningKind,
  signing: Signing,
): Promise<readonly string[]> {
  try {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const kept = await findAgain(context, signing)
      if (kept.status === 'ended') {
        return await signedTargets(context, kind, kept)
      }
      await settleSigning(context, kind, { ...kept, isAbandoned: true })
    }
  } catch (error) {
    throw error instanceof BankRefusal ? unanswered(error, await findAgain(context, signing)) : error
  }
  throw refuse(
    'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
    'It is just being ended by another request; ask again in a moment',
  )
}

/**
 * Once nothing can end it any more, the bank is asked about what is open there: others may have ended it without asking,
 * as a newer approval does, and the user may have signed since it was asked.
 */
async function signedTargets(context: Context, kind: SigningKind, signing: Signing): Promise<readonly string[]> {
  if (await isToLookAtLate(context.database, signing)) {
    await findLateSignature(context, kind, signing)
  }
  const { steps } = await findAgain(context, signing)
  return steps.filter(isSigned).map(({ targetId }) => targetId)
}

function unanswered(refusal: BankRefusal, { status }: Signing): Error {
  const [known, otherwise] =
    status === 'ended'
      ? ['It has ended, and the bank does not say whether it was signed all the same', '']
      : [
          'The bank does not say whether it was signed, so it is not abandoned',
          ': the user can go on with the same link',
        ]
  if (PASSES.has(refusal.kind)) {
    const retryAfterSeconds = ASK_AGAIN_SECONDS
    return refuse('unavailable', `${known}${otherwise}. Ask again in a moment`, { retryAfterSeconds })
  }
  if (UNREADABLE.has(refusal.kind)) {
    const why = `The consent of the user who signs has ended at the bank (${refusal.message})`
    return refuse('INVALID_CONSENT', `${known}. ${why}, so that it ends by itself once its time is over`)
  }
  return refusal
}
