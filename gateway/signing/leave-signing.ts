/** Takes a user who does not want to go on, or to wait, back to the partner. */
import type { Context } from '../context.ts'
import { endSigning, settleSigning } from './settle-signing.ts'
import { currentStep, type Signing, type SigningKind, type SigningOutcome } from './signing.ts'

/**
 * Before the bank was entered, or between two authorisations, leaving ends the signing.
 * While the bank has not spoken it ends nothing: the user goes back with `cancelled`, and the status tells the truth.
 */
export async function leaveSigning(context: Context, kind: SigningKind, signing: Signing): Promise<SigningOutcome> {
  if (signing.outcome !== null) {
    return signing.outcome
  }
  const isAtBank = signing.status === 'left' && currentStep(signing)?.state === 'open'
  if (!isAtBank) {
    const standing = await endSigning(context, kind, signing, 'cancelled')
    return standing.at === 'end' ? standing.outcome : 'cancelled'
  }
  const standing = await settleSigning(context, kind, signing).catch(() => undefined)
  return standing?.at === 'end' ? standing.outcome : 'cancelled'
}
