/** Builds the SCA session request for the cancellation of a payment or a payroll. */
import type { PreferredScaMethod } from '../../contract/shapes.ts'
import { authorisationExpiry, type ScaSessionRequest } from '../authorisations/start-sca-session.ts'
import { type Bank, preferredApproachOf } from '../banks/directory/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'

/** The caller, the bank, and how the user signs. */
export type CancellationScaParameters = {
  readonly caller: Pick<ConsentCaller, 'consent' | 'psu'>
  readonly bank: Bank
  readonly request: { readonly callbackUrl: string; readonly preferredScaMethod?: PreferredScaMethod }
}

type SignedContent = Pick<ScaSessionRequest, 'codeForPartner' | 'isSummarySealed' | 'steps'>

export function cancellationScaRequest(
  context: Context,
  { caller, bank, request }: CancellationScaParameters,
  { id, partnerId }: { readonly id: string; readonly partnerId: string },
  content: SignedContent,
): ScaSessionRequest {
  return {
    ...content,
    partnerId,
    kind: 'cancellation',
    subjectId: id,
    consentId: caller.consent.id,
    bic: bank.bic,
    callbackUrl: request.callbackUrl,
    expiresAt: authorisationExpiry(context.clock, bank),
    psu: caller.psu,
    userId: caller.consent.userId,
    preferred: preferredApproachOf(request.preferredScaMethod),
  }
}
