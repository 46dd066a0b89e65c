/** Takes a user who does not want to go on, or to wait, back to the partner. */
import type { Context } from '../context.ts'
import { endSigning, settleSigning } from './settle-signing.ts'
import { currentStep, type Signing, type SigningKind, type SigningOutcome } from './signing.ts'
import { findAgain } from './standing.ts'

/**
 * Before the bank was entered, or between two authorisations, leaving ends the signing.
 * While the bank has not spoken it ends nothing: the user goes back with `cancelled`, and the status tells the truth.
 */
export async function leaveSigning(context: Context, kind: SigningKind, signing: Signing): Promise<SigningOutcome> {
  const isAtBank = signing.status === 'left' && currentStep(signing)?.state === 'open'
  if (isAtBank || signing.outcome !== null) {
    const standing = await settleSigning(context, kind, signing).catch(() => undefined)
    return standing?.at === 'end' ? standing.outcome : (signing.outcome ?? 'cancelled')
  }
  const standing = await endSigning(context, kind, signing, 'cancelled')
  if (standing === undefined) {
    return await leaveSigning(context, kind, await findAgain(context, signing))
  }
  return standing.at === 'end' ? standing.outcome : 'cancelled'
}
