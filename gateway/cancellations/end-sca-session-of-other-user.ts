/** Ends the SCA session of another user who was to sign a cancellation. */

import { completeScaSession } from '../authorisations/refresh-sca-session.ts'
import type { Context } from '../context.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { cancellationScaSubject } from './cancellation-sca-subject.ts'

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
