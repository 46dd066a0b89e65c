/** Maps each kind of SCA session to the module that owns it. */

import { approvalScaSubject } from '../approvals/approval-sca-subject.ts'
import type { ScaSubjects } from '../authorisations/sca-session.ts'
import { cancellationScaSubject } from '../cancellations/cancellation-sca-subject.ts'
import { consentScaSubject } from '../consents/consent-sca-subject.ts'
import type { Context } from '../context.ts'
import { onboardingScaSubject } from '../onboarding/signatures/onboarding-sca-subject.ts'

/** The owner of each kind of SCA session. */
export function scaSubjectsOf(context: Context): ScaSubjects {
  return {
    consent: consentScaSubject,
    approval: approvalScaSubject,
    cancellation: cancellationScaSubject,
    onboarding: onboardingScaSubject(context),
  }
}
