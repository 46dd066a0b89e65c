/** Compares the users of two requests for a cancellation, and ends the SCA session of another user. */

import { completeScaSession } from '../authorisations/refresh-sca-session.ts'
import type { Consent } from '../consents/consent.ts'
import { consentOf } from '../consents/find-consent.ts'
import type { Context } from '../context.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { cancellationScaSubject } from './cancellation-sca-subject.ts'

/** Recognises the user under another consent, too, if the bank identifies its users. */
export async function isSameUser(
  context: Context,
  consent: Consent,
  { partnerId, consentId }: { readonly partnerId: string; readonly consentId: string },
): Promise<boolean> {
  const otherConsent = consentId === consent.id ? consent : await consentOf(context, { partnerId, consentId })
  return otherConsent?.id === consent.id || (otherConsent?.userId === consent.userId && consent.userId !== null)
}

/** Throws `AUTHENTICATION_TEMPORARY_UNAVAILABLE` while the other user is at the bank. */
export async function endScaSessionOfOtherUser(
  context: Context,
  session: Parameters<typeof completeScaSession>[2] | undefined,
  what: 'payment' | 'payroll',
): Promise<void> {
  const isEnded =
    session?.status === 'waiting' &&
    (await completeScaSession(context, cancellationScaSubject, session, 'cancelled')) !== undefined
  if (!isEnded) {
    throw apiError(
      'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
      `Another user is signing the cancellation of this ${what} at the bank. Wait until they have finished, or abandon it with ` +
        `DELETE /api/v2/${what === 'payroll' ? 'payroll' : 'payments'}/cancel/${session?.subjectId ?? '{id}'}`,
    )
  }
}
