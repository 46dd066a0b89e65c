/** What the signing of a cancellation is, whatever is cancelled. */
import type { PreferredScaMethod } from '../../contract/shapes.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { authorisationEnd, type SigningWanted } from '../signing/prepare-signing.ts'
import { preferredOf } from '../signing/signed-in-app.ts'

/** Who asks for a cancellation, where, and how its user signs. */
export type CancellationWish = {
  readonly caller: ConsentCaller
  readonly bank: Bank
  readonly asked: { readonly callbackUrl: string; readonly preferredScaMethod?: PreferredScaMethod }
}

/** What is signed, and how it is shown. */
type Shown = Pick<SigningWanted, 'codeForPartner' | 'isShownSealed' | 'steps'>

export function cancellationWanted(
  context: Context,
  { caller, bank, asked }: CancellationWish,
  { id, partnerId }: { readonly id: string; readonly partnerId: string },
  shown: Shown,
): SigningWanted {
  return {
    ...shown,
    partnerId,
    kind: 'cancellation',
    subjectId: id,
    consentId: caller.consent.id,
    bic: bank.bic,
    callbackUrl: asked.callbackUrl,
    expiresAt: authorisationEnd(context.clock, bank),
    psu: caller.psu,
    userId: caller.consent.userId,
    preferred: preferredOf(asked.preferredScaMethod),
  }
}
