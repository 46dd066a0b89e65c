/** Abandons a cancellation whose user does not return to sign it; the payment stays as it is. */
import { requireOrdersOfConsent } from '../approvals/require-orders-of-consent.ts'
import { abandonScaSession } from '../authorisations/abandon-sca-session.ts'
import type { ScaSession } from '../authorisations/sca-session.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { cancellationScaSubject } from './cancellation-sca-subject.ts'
import { paymentOf } from './complete-cancellation.ts'
import { requireAnswered, requireCancellation, scaSessionOf } from './get-cancellation.ts'

/** Throws 404, `ACCESS_DENIED`, 409 if it was signed or executed, or the error of a call to the bank; then nothing is abandoned. */
export async function abandonCancellation(context: Context, caller: ConsentCaller, id: string): Promise<undefined> {
  const cancellation = await requireCancellation(context, caller.partnerId, id)
  const payment = await paymentOf(context, cancellation)
  await requireOrdersOfConsent(context, caller, [
    { ...payment, consentIds: [cancellation.consentId, payment.consentId] },
  ])
  requireAnswered(cancellation)
  await abandonCancellationSca(context, await scaSessionOf(context, cancellation))
  const { status } = await requireCancellation(context, caller.partnerId, id)
  // If the bank has deleted the authorisation, only the status of the order shows that the cancellation was signed.
  if (status === 'ACCEPTED' || (await paymentOf(context, cancellation)).status === 'Cancelled') {
    throw apiError('conflict', 'The cancellation was executed and cannot be abandoned. Read the status of the payment')
  }
  return undefined
}

/** Abandons the SCA session, if there is one. Throws 409 if any step of it was signed. */
export async function abandonCancellationSca(context: Context, session: ScaSession | undefined): Promise<void> {
  const signed = session && (await abandonScaSession(context, cancellationScaSubject, session))
  if (signed !== undefined && signed.length > 0) {
    throw apiError('conflict', 'The cancellation was signed at the bank and cannot be abandoned. Read its status')
  }
}
