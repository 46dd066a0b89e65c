/** Cancels a payment at its bank, or starts the SCA that the bank requires for that; shows the cancellation. */
import type { CancellationRequest, Cancellation as CancellationResponse } from '../../contract/cancellations.ts'
import type { Bank } from '../banks/connector/bank.ts'
import { requireBank } from '../banks/directory/bank-directory.ts'
import { requirePaymentsAllowed } from '../companies/require-company.ts'
import type { ConsentActor, ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { type CancellableInstruction, reasonOfCancellation, unsupportedReason } from '../orders/cancel/cancellation.ts'
import {
  type CancellationOffer,
  findCancellationOffer,
  requireInstructionOfConsent,
  requirePayingUser,
  unknownOrderError,
} from '../orders/cancel/cancellation-access.ts'
import { findAcceptedCancellationId } from '../orders/cancel/cancellation-store.ts'
import { type CurrentCancellation, getCancellation, requireAnswered } from '../orders/cancel/get-cancellation.ts'
import { requestCancellation } from '../orders/cancel/request-cancellation.ts'
import { findPaymentOf } from '../orders/find-orders.ts'
import {
  isExchangeBinding,
  isOutcomeUnknown,
  type PartnerPayment,
  permits,
  renderPaymentStatus,
} from '../orders/payment.ts'
import { paymentSummaries } from './payment-summary.ts'

/**
 * The user of the caller's consent cancels, who need not be the one who created the payment. While a cancellation is open,
 * it is returned instead of a new one. Throws 503 while the bank's answer is unknown.
 */
export async function cancelPayment(
  context: Context,
  caller: ConsentActor,
  { paymentId, ...request }: CancellationRequest,
): Promise<CancellationResponse> {
  const bank = await requireBank(context.banks, caller.consent.bic)
  const result = await requestCancellation(context, { ...request, caller, bank, codeForPartner: true }, async () =>
    cancellablePayment(bank, await requireCancellationAccess(context, caller, paymentId)),
  )
  return await renderCancellation(context, result)
}

/** Throws 403 for a company that may not pay, 404, 409 for an unknown outcome, 422, or `ACCESS_DENIED`. */
async function requireCancellationAccess(context: Context, caller: ConsentActor, id: string): Promise<PartnerPayment> {
  await requirePaymentsAllowed(context, caller.consent)
  const payment = await findPaymentOf(context, caller.partnerId, id)
  requireInstructionOfConsent(caller, 'payment', payment)
  await requirePayingUser(context, caller, payment, payment.ordered.from.currency)
  if (isOutcomeUnknown(payment)) {
    throw unknownOrderError('payment', payment.id, 'this payment')
  }
  return payment
}

function cancellablePayment(bank: Bank, payment: PartnerPayment): CancellableInstruction {
  const { partnerId, id } = payment
  const reason = immediateRejectionReason(bank, payment)
  return {
    ...{ partnerId, id, kind: 'payment', orders: [payment], toCancel: [payment] },
    decision: reason === undefined ? null : 'REJECTED',
    reason: reason ?? null,
    audited: reason === undefined ? {} : { reason },
    show: paymentSummaries,
  }
}

/** Why the payment is not cancelled, without a call to the bank; undefined if the bank decides. */
function immediateRejectionReason(bank: Bank, payment: PartnerPayment): string | undefined {
  if (!permits(payment, 'cancel')) {
    return `The payment is already ${payment.status}`
  }
  return isExchangeBinding(payment)
    ? 'The payment is signed and its currency exchange is binding'
    : unsupportedReason(bank, 'payment')
}

/** Whether a payment can be cancelled now, and by which of the company's users; for pages that offer it. */
export async function findPaymentCancellationOffer(
  context: Context,
  payment: PartnerPayment,
): Promise<CancellationOffer> {
  const rejection = isOutcomeUnknown(payment)
    ? 'It is unknown whether the bank accepted the payment'
    : immediateRejectionReason(await requireBank(context.banks, payment.bic), payment)
  return await findCancellationOffer(context, {
    ...payment,
    currency: payment.ordered.from.currency,
    kind: 'payment',
    firstConsentId: payment.consentId,
    rejection,
  })
}

/** The id of the cancellation by which a payment was cancelled. */
export async function findCancellationThatCancelled(
  { database }: Context,
  payment: PartnerPayment,
): Promise<string | undefined> {
  return await findAcceptedCancellationId(database, payment)
}

/** While the user may be signing, the bank is polled first, at most once a second. Throws 404, `ACCESS_DENIED`, or 503 for an unknown outcome. */
export async function getPaymentCancellation(
  context: Context,
  caller: ConsentCaller,
  id: string,
): Promise<CancellationResponse> {
  return await renderCancellation(context, await getCancellation(context, caller, 'payment', id))
}

async function renderCancellation(
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
