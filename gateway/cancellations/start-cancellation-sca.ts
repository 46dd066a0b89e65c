/** Starts the SCA session for a cancellation. */
import { paymentSummary } from '../approvals/payment-summary.ts'
import { type ScaSessionRequest, startScaSession } from '../authorisations/start-sca-session.ts'
import type { Context } from '../context.ts'
import { type AcknowledgedPayment, isPartnerPayment } from '../orders/payment.ts'
import type { Cancellation, RequestedCancellation } from './cancellation.ts'
import { cancellationScaRequest } from './cancellation-sca-request.ts'
import { cancellationScaSubject } from './cancellation-sca-subject.ts'
import { changeCancellationStatus, findCancellation } from './cancellation-store.ts'
import { type CurrentCancellation, currentCancellation } from './get-cancellation.ts'

/** Returns the cancellation with the SCA data of its user, or the final cancellation if it ended meanwhile. */
export async function startCancellationSca(
  context: Context,
  cancellation: Cancellation,
  requested: RequestedCancellation & { readonly payment: AcknowledgedPayment },
): Promise<CurrentCancellation> {
  const next = { status: 'AUTHORIZATION_REQUIRED', reason: null } as const
  const { isStored, sca } = await startScaSession(
    context,
    cancellationScaSubject,
    scaSessionRequestOf(context, cancellation, requested),
    async (transaction) =>
      await changeCancellationStatus({ query: transaction }, cancellation, next, context.clock.now()),
  )
  const stored = (await findCancellation(context.database, cancellation)) ?? { ...cancellation, ...next }
  return isStored ? { cancellation: stored, sca } : await currentCancellation(context, stored)
}

function scaSessionRequestOf(
  context: Context,
  cancellation: Cancellation,
  requested: RequestedCancellation & { readonly payment: AcknowledgedPayment },
): ScaSessionRequest {
  const { payment } = requested
  const summary = isPartnerPayment(payment) ? [paymentSummary(payment)] : []
  return cancellationScaRequest(context, requested, cancellation, {
    codeForPartner: true,
    steps: [{ targetType: 'cancellation', targetId: payment.id, shown: summary }],
  })
}
