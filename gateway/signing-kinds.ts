/** Says how each kind of signing is carried on by the room that it belongs to. */
import { approvalSigning } from './approvals/approval-signing.ts'
import { cancellationSigning } from './cancellations/cancellation-signing.ts'
import { consentSigning } from './consents/consent-sca-subject.ts'
import type { GatewayContext } from './gateway-context.ts'
import { onboardingSigning } from './onboarding/signatures/onboarding-sca-subject.ts'
import type { SigningKinds } from './signing/signing.ts'

/** How each kind of signing is carried on. */
export function signingKindsOf(context: GatewayContext): SigningKinds {
  return {
    consent: consentSigning(),
    approval: approvalSigning(),
    cancellation: cancellationSigning(),
    onboarding: onboardingSigning(context),
  }
}
