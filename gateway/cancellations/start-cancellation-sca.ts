/** Starts the SCA session for a cancellation. */
import { paymentSummary } from '../approvals/payment-summary.ts'
import {
  completeIfExempt,
  insertPreparedScaSession,
  prepareScaSession,
  type ScaSessionRequest,
} from '../authorisations/prepare-sca-session.ts'
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
  const subject = cancellationScaSubject()
  const prepared = await prepareScaSession(context, subject, scaSessionRequestOf(context, cancellation, requested))
  const next = { status: 'AUTHORIZATION_REQUIRED', reason: null } as const
  const isStored = await context.database.query.transaction().execute(async (transaction) => {
    const isOpen = await changeCancellationStatus({ query: transaction }, cancellation, next, context.clock.now())
    if (isOpen) {
      await insertPreparedScaSession(transaction, prepared)
    }
    return isOpen
  })
  if (isStored) {
    await completeIfExempt(context, subject, prepared)
  }
  const stored = (await findCancellation(context.database, cancellation)) ?? { ...cancellation, ...next }
  return isStored ? { cancellation: stored, sca: prepared.sca } : await currentCancellation(context, stored)
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
