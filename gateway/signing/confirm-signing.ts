/** Takes the word of a user whose browser came back in place of the one that left: whether it was they who began this. */

import { trustConfirmed } from '../authorisations/store/browser-trust-store.ts'
import type { Context } from '../context.ts'
import { hashToken } from '../platform/ids.ts'
import { endSigning, settleIfReadable } from './settle-signing.ts'
import { nextWaitsForWord, type Signing, type SigningKind } from './signing.ts'
import { findAgain, type Standing, standingOf } from './standing.ts'

/** Yes puts in force what was signed, no ends it. Undefined for a browser that was not asked. */
export async function confirmSigning(
  context: Context,
  kind: SigningKind,
  signing: Signing,
  answer: { readonly browserToken: string | undefined; readonly isTheirs: boolean },
): Promise<Standing | undefined> {
  if (signing.confirmHash === null || !isAsked(signing, answer.browserToken)) {
    return undefined
  }
  if (answer.isTheirs) {
    const goesOn = nextWaitsForWord(signing)
    const word = { confirmHash: signing.confirmHash, goesOn, at: context.clock.real() }
    await trustConfirmed(context.database, signing, word)
  } else if (standingOf(signing).at === 'word') {
    const ended = await endSigning(context, kind, signing, 'rejected')
    if (ended !== undefined) {
      return ended
    }
  }
  return await settleIfReadable(context, kind, await findAgain(context, signing))
}

/** Whether a browser is the one that came back in place of the one that left. */
export function isAsked({ confirmHash }: Pick<Signing, 'confirmHash'>, browserToken: string | undefined): boolean {
  return confirmHash !== null && browserToken !== undefined && hashToken(browserToken) === confirmHash
}
