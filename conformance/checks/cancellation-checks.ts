/** Checks cancellations: of an unsigned payment, of a final one, and repeated ones. */
import { type Check, type CheckContext, documentedIn } from '../check.ts'
import { require, requireError, requireNone } from '../expectations.ts'
import {
  decideApproval,
  type Ordered,
  ordering,
  orderPayment,
  requireSandbox,
  settledPayment,
  shownAs,
  signCancellation,
} from '../subjects/payments.ts'
import { nextWeekday } from '../subjects/subject.ts'
import { unknownId } from './operations-by-need.ts'

const cancel = ({ succeed, target }: CheckContext, { initiated, consentId }: Ordered) =>
  succeed('cancelPayment', { consentId, body: { paymentId: initiated.paymentId, callbackUrl: target.callbackUrl } })

export const CANCELLATION_CHECKS: readonly Check[] = documentedIn('API reference: cancelPayment', [
  {
    id: 'cancellations-unsigned',
    title: 'An unsigned payment is cancelled',
    rule: 'The request is ACCEPTED, or AUTHORIZATION_REQUIRED with sca; once accepted the payment becomes Cancelled.',
    run: async (context) => {
      requireSandbox(context)
      const ordered = await orderPayment(context)
      const requested = await cancel(context, ordered)
      const { id, cancellationRequestStatus: status } = requested
      if (status === 'AUTHORIZATION_REQUIRED') {
        require(requested.sca !== undefined, 'A cancellation that must be signed has no sca')
        const repeated = await cancel(context, ordered)
        require(repeated.id === id, 'A repeated request while it is open has another id')
        await signCancellation(context, id)
      } else {
        require(status === 'ACCEPTED', `The request is ${status}: ${String(requested.reason)}`)
      }
      const read = await context.succeed('getPaymentCancellation', { consentId: ordered.consentId, params: { id } })
      require(read.cancellationRequestStatus === 'ACCEPTED', `GET returns ${read.cancellationRequestStatus}`)
      const payment = await shownAs(context, ordered, 'Cancelled')
      require(payment.finalStatus, 'finalStatus is false')
    },
  },
  {
    id: 'cancellations-final',
    title: 'A completed payment is not cancelled',
    rule: 'The response is 200 with REJECTED and a reason, and the payment stays Completed.',
    run: async (context) => {
      const settled = await settledPayment(context)
      await shownAs(context, settled, 'Completed')
      const { cancellationRequestStatus: status, reason, currentPaymentStatus } = await cancel(context, settled)
      requireNone([
        status === 'REJECTED' || `The request is ${status}`,
        (typeof reason === 'string' && reason !== '') || 'There is no reason',
        currentPaymentStatus.status === 'Completed' || `The payment is ${currentPaymentStatus.status}`,
      ])
    },
  },
  {
    id: 'cancellations-unknown',
    title: 'An unknown payment is not cancelled',
    rule: 'The response is 404.',
    run: async (context) => {
      const { consentId } = await orderPayment(context)
      const body = { paymentId: unknownId(), callbackUrl: context.target.callbackUrl }
      const answer = await context.call('cancelPayment', { consentId, body })
      requireError(answer, 404, 'NotFound')
    },
  },
  {
    id: 'cancellations-signed',
    title: 'A signed payment that is due later can be cancelled',
    rule: 'Where the user must sign the cancellation, a repeated request returns the same one, abandoning it makes it REJECTED, and signing a new one makes the payment Cancelled.',
    reference: 'API reference: cancelPayment, abandonPaymentCancellation',
    run: async (context) => {
      requireSandbox(context)
      const { account } = await ordering(context)
      const dueDate = (await nextWeekday(context, account.country)).toString()
      const ordered = await orderPayment(context, { dueDate })
      await decideApproval(context, ordered, 'sign')
      const first = await cancel(context, ordered)
      if (first.cancellationRequestStatus === 'AUTHORIZATION_REQUIRED') {
        const { consentId } = ordered
        require((await cancel(context, ordered)).id === first.id, 'A repeated request while it is open has another id')
        await context.succeed('abandonPaymentCancellation', { consentId, params: { id: first.id } })
        const abandoned = await context.succeed('getPaymentCancellation', { consentId, params: { id: first.id } })
        const { cancellationRequestStatus: status } = abandoned
        require(status === 'REJECTED', `The abandoned request is ${status}`)
        const second = await cancel(context, ordered)
        await signCancellation(context, second.id)
      }
      await shownAs(context, ordered, 'Cancelled')
    },
  },
])
