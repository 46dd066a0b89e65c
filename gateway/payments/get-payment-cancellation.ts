/** Shows the cancellation of a payment to partners, and abandons it. */
import type { Cancellation as CancellationResponse } from '../../contract/cancellations.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { reasonOfCancellation } from '../orders/cancel/cancellation.ts'
import {
  abandonCancellation,
  type CurrentCancellation,
  currentCancellation,
  requireAnswered,
  requireCancellation,
} from '../orders/cancel/get-cancellation.ts'
import { findPaymentOf } from '../orders/find-orders.ts'
import { renderPaymentStatus } from '../orders/payment.ts'
import { requireSameCompany } from '../orders/sign/require-payer.ts'
import { apiError } from '../platform/http/errors/api-error.ts'

/** While the user may be signing, the bank is polled first, at most once a second. Throws 404, `ACCESS_DENIED`, or 503 for an unknown outcome. */
export async function getPaymentCancellation(
  context: Context,
  caller: ConsentCaller,
  id: string,
): Promise<CancellationResponse> {
  const { partnerId } = caller
  const cancellation = await requireCancellation(context, { partnerId, kind: 'payment', id })
  requireSameCompany(caller, [await findPaymentOf(context, partnerId, cancellation.instructionId)])
  return await renderCancellation(context, await currentCancellation(context, cancellation))
}

export async function renderCancellation(
  context: Context,
  { cancellation, sca }: CurrentCancellation,
): Promise<CancellationResponse> {
  const { id, partnerId, instructionId } = cancellation
  const status = requireAnswered(cancellation)
  return {
    id,
    ...(sca === undefined ? {} : { sca }),
    cancellationRequestStatus: status,
    currentPaymentStatus: renderPaymentStatus(await findPaymentOf(context, partnerId, instructionId)),
    reason: reasonOfCancellation(cancellation),
  }
}

/** The payment stays as it is. Throws 404, `ACCESS_DENIED`, 409 if it was signed or executed, or the error of a call to the bank. */
export async function abandonPaymentCancellation(
  context: Context,
  caller: ConsentCaller,
  id: string,
): Promise<undefined> {
  const { partnerId } = caller
  const cancellation = await requireCancellation(context, { partnerId, kind: 'payment', id })
  const findPayment = () => findPaymentOf(context, partnerId, cancellation.instructionId)
  const { parts } = await abandonCancellation(context, caller, cancellation, await findPayment())
  // If the bank has deleted the authorisation, only the status of the order shows that the cancellation was signed.
  if (parts.some(({ status }) => status === 'ACCEPTED') || (await findPayment()).status === 'Cancelled') {
    throw apiError('conflict', 'The cancellation was executed and cannot be abandoned. Read the status of the payment')
  }
  return undefined
}
