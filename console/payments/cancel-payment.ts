/** Cancels a payment for a user of its company, as the API does, and says why where that is not possible. */
import { html } from 'ghtml'
import { BankError } from '../../gateway/banks/connector/bank-error.ts'
import type { Context } from '../../gateway/context.ts'
import type { CancellationOffer } from '../../gateway/orders/cancel/cancellation-access.ts'
import { findPaymentOf } from '../../gateway/orders/find-orders.ts'
import type { PartnerPayment } from '../../gateway/orders/payment.ts'
import { PAYMENT_ROWS } from '../../gateway/orders/views/order-rows.ts'
import {
  cancelPayment,
  findCancellationThatCancelled,
  findPaymentCancellationOffer,
} from '../../gateway/payments/cancel-payment.ts'
import { ApiError } from '../../gateway/platform/http/errors/api-error.ts'
import { actorOf } from '../access/console-session.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { CONSENT_FIELD, cancelForm } from '../markup/cancel-form.ts'
import type { ActionOutcome } from '../markup/notice.ts'
import { changeSinceSeen } from '../markup/seen-state.ts'
import { CANCELLATIONS_PATH } from '../records/cancellation-page.ts'
import { RETURN_PATH } from '../records/return-page.ts'
import { consoleText } from '../texts/console-texts.ts'

/** A button where the payment can be cancelled, otherwise a sentence that says why not. */
export async function cancellationForm(context: Context, payment: PartnerPayment, viewer: Viewer): Promise<string> {
  const offer = await findPaymentCancellationOffer(context, payment)
  switch (offer.kind) {
    case 'open':
      return html`<p><a href="${CANCELLATIONS_PATH}/${offer.cancellationId}">${consoleText('cancelPayment.open')}</a></p>`
    case 'not-permitted':
      return html`<p>${consoleText('cancelPayment.notPermitted', { reason: offer.reason })}</p>`
    case 'permitted': {
      const [path, button] = [`/console/payments/${payment.id}/cancel`, consoleText('cancelPayment.cancel')]
      return cancelForm({ path, state: stateOf(payment), button }, offer.consents, viewer)
    }
  }
}

const stateOf = ({ status, statusReason }: PartnerPayment) =>
  statusReason === null ? status : `${status} ${statusReason}`

/** Leads to the cancellation, which has the link of a user who must sign; `rejected` shows the payment and why. */
export async function cancelPaymentInPath(
  context: Context,
  request: ConsoleRequest,
  rejected: (outcome: ActionOutcome) => Promise<ConsoleAnswer>,
): Promise<ConsoleAnswer> {
  const { viewer, form, params } = request
  const key = await requireVisible(context, viewer, PAYMENT_ROWS, params['paymentId'])
  const payment = await findPaymentOf(context, key.partnerId, key.id)
  const changed = changeSinceSeen(form, stateOf(payment))
  if (changed !== undefined) {
    // A button pressed twice: the second request begins when the first has ended.
    const cancelledBy = await findCancellationThatCancelled(context, payment)
    return cancelledBy === undefined ? await rejected(changed) : cancellationAt(cancelledBy)
  }
  const offer = await findPaymentCancellationOffer(context, payment)
  const consents = offer.kind === 'permitted' ? offer.consents : []
  const consent = consents.find(({ id }) => id === form.text(CONSENT_FIELD))
  if (consent === undefined) {
    return offer.kind === 'open' ? cancellationAt(offer.cancellationId) : await rejected(rejectionOf(offer))
  }
  const actor = {
    partnerId: key.partnerId,
    partnerName: key.partnerName,
    consent,
    psu: null,
    actor: actorOf(viewer.session),
  }
  const callbackUrl = `${context.config.baseUrl}${RETURN_PATH}`
  try {
    const { id } = await cancelPayment(context, actor, { paymentId: payment.id, callbackUrl })
    return cancellationAt(id)
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof BankError)) {
      throw error
    }
    // A bank that did not answer leaves a cancellation, which is repeated until it does.
    const now = await findPaymentCancellationOffer(context, payment)
    return now.kind === 'open'
      ? cancellationAt(now.cancellationId)
      : await rejected({ status: 409, message: error.message })
  }
}

const cancellationAt = (id: string): ConsoleAnswer => ({ kind: 'redirect', to: `${CANCELLATIONS_PATH}/${id}` })

function rejectionOf(offer: CancellationOffer): ActionOutcome {
  return offer.kind === 'not-permitted'
    ? { status: 409, message: consoleText('cancelPayment.notPermitted', { reason: offer.reason }) }
    : { status: 422, message: consoleText('cancelPayment.noUser') }
}
