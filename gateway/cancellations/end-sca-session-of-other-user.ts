/** Tells whether who asks for a cancellation is who began it, and ends what another user was about to sign. */
import type { Consent } from '../consents/consent.ts'
import { consentOf } from '../consents/find-consent.ts'
import type { Context } from '../context.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { endSigning } from '../signing/settle-signing.ts'
import { cancellationSigning } from './cancellation-signing.ts'

/** By another consent, too, where the bank knows its users. */
export async function isSameUser(
  context: Context,
  consent: Consent,
  { partnerId, consentId }: { readonly partnerId: string; readonly consentId: string },
): Promise<boolean> {
  const theirs = consentId === consent.id ? consent : await consentOf(context, { partnerId, consentId })
  return theirs?.id === consent.id || (theirs?.userId === consent.userId && consent.userId !== null)
}

/** Throws `AUTHENTICATION_TEMPORARY_UNAVAILABLE` while that user is at the bank. */
export async function endAnothersSigning(
  context: Context,
  signing: Parameters<typeof endSigning>[2] | undefined,
  what: 'payment' | 'payroll',
): Promise<void> {
  const isEnded =
    signing?.status === 'waiting' &&
    (await endSigning(context, cancellationSigning(), signing, 'cancelled')) !== undefined
  if (!isEnded) {
    throw refuse(
      'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
      `Another user is signing the cancellation of this ${what} at the bank. Wait until that has ended, or abandon it with ` +
        `DELETE /api/v2/${what === 'payroll' ? 'payroll' : 'payments'}/cancel/${signing?.subjectId ?? '{id}'}`,
    )
  }
}
