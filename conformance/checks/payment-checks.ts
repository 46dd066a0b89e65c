/** Checks the life of a payment: ordered, read, signed, settled, and what a user or bank decides otherwise. */
import type { Check, CheckContext } from '../check.ts'
import { require, requireNone, valueAt } from '../expectations.ts'
import {
  decideApproval,
  type Ordered,
  orderPayment,
  requireSandbox,
  settledPayment,
  shownAs,
  shownPayment,
  unsignedPayment,
} from '../subjects/payments.ts'
import { isUuid } from './operations-by-need.ts'

const LIFE = 'Guide: payment status'
const SIGNING = 'Guide: signing'

type Decided = { readonly decision: 'sign' | 'reject' | 'leave'; readonly returned: string; readonly status: string }

/** Lets the user decide on a new payment; throws unless the user returns and the approval ends as they should. */
async function decided(context: CheckContext, { decision, returned, status }: Decided): Promise<Ordered> {
  requireSandbox(context)
  const ordered = await orderPayment(context)
  const { started, result } = await decideApproval(context, ordered, decision)
  const params = { approvalId: started.id }
  const approval = await context.succeed('getPaymentApproval', { consentId: ordered.consentId, params })
  const { callback } = result
  const found = callback === null ? null : new URL(callback).searchParams.get('status')
  requireNone([
    found === returned || `The user returned to ${String(callback)}`,
    approval.status === status || `The approval is ${approval.status}, expected ${status}`,
  ])
  return ordered
}

export const PAYMENT_CHECKS: readonly Check[] = [
  {
    id: 'payments-ordered',
    title: 'A domestic payment is ordered',
    rule: 'The response has a new paymentId and the status, usually Unsigned; InProgress for accounts without a signature.',
    reference: 'API reference: initiateDomesticPayment',
    run: async (context) => {
      const [first, second] = [await unsignedPayment(context), await orderPayment(context)]
      const { paymentId, paymentStatus } = first.initiated
      requireNone([
        isUuid(paymentId) || `paymentId is ${paymentId}`,
        paymentId !== second.initiated.paymentId || 'Two payments have one paymentId',
        ['Unsigned', 'InProgress'].includes(paymentStatus.status) || `The status is ${paymentStatus.status}`,
      ])
    },
  },
  {
    id: 'payments-shown-as-ordered',
    title: 'A payment is shown as it was ordered',
    rule: 'GET returns the endToEndId, parties, amount, due date and remittance information of the order, unchanged.',
    reference: 'API reference: getPayment',
    run: async (context) => {
      const ordered = await unsignedPayment(context)
      const payment = await shownPayment(context, ordered)
      const paths = [
        '.metadata.endToEndId',
        '.from.account.bban',
        '.from.currency',
        '.to.account.bban',
        '.to.contactInformation.name',
        '.amount.amount',
        '.amount.currency',
        '.dueDate',
        '.remittanceInformation.type',
        '.remittanceInformation.value',
      ]
      const different = paths.filter((path) => valueAt(payment, path) !== valueAt(ordered.order, path))
      requireNone(
        different.map(
          (path) =>
            `${path} is ${JSON.stringify(valueAt(payment, path))}, ordered was ${JSON.stringify(valueAt(ordered.order, path))}`,
        ),
      )
      require(payment.type === 'Domestic', `type is ${payment.type}`)
      require(payment.paymentId === ordered.initiated.paymentId, 'paymentId is that of another payment')
    },
  },
  {
    id: 'payments-status-agrees',
    title: 'The status is the same wherever it is read',
    rule: 'The status operation, the payment and the newest entry of its history agree; the history is in order of time.',
    reference: LIFE,
    run: async (context) => {
      const ordered = await unsignedPayment(context)
      const { paymentId } = ordered.initiated
      const { status } = await context.succeed('getPaymentStatus', { params: { paymentId } })
      const { paymentStatus, statusHistory, finalStatus } = await shownPayment(context, ordered)
      const times = statusHistory.map(({ timestamp }) => timestamp)
      requireNone([
        paymentStatus.status === status || `The payment is ${paymentStatus.status}, its status ${status}`,
        statusHistory.at(-1)?.status === status || `The history ends with ${String(statusHistory.at(-1)?.status)}`,
        times.join() === times.toSorted().join() || `The history is not in order of time: ${times.join(', ')}`,
        ...(finalStatus ? [`finalStatus is true while the payment is ${status}`] : []),
      ])
    },
  },
  {
    id: 'payments-approval-started',
    title: 'An approval starts with a link for the user',
    rule: 'The response has the status STARTED and sca with a URL; GET returns the same approval.',
    reference: SIGNING,
    run: async (context) => {
      const { initiated, consentId } = await orderPayment(context)
      const { callbackUrl } = context.target
      const approval = await context.succeed('approvePayments', {
        consentId,
        body: { payments: [initiated.paymentId], callbackUrl },
      })
      const read = await context.succeed('getPaymentApproval', { consentId, params: { approvalId: approval.id } })
      const url = approval.sca?.type === 'redirect' ? approval.sca.url : undefined
      requireNone([
        approval.status === 'STARTED' || `The status is ${approval.status}`,
        approval.sca?.type === 'qr' || (url !== undefined && /^https?:/.test(url)) || `sca.url is ${String(url)}`,
        (read.id === approval.id && read.status === 'STARTED') || `GET returns ${read.id} ${read.status}`,
      ])
      await context.call('abandonPaymentApproval', { consentId, params: { approvalId: approval.id } })
    },
  },
  {
    id: 'payments-approval-signed',
    title: 'A signature approves the payment',
    rule: 'The user returns with status=success, the approval becomes ACCEPTED, and the payment is no longer Unsigned.',
    reference: SIGNING,
    run: async (context) => {
      const ordered = await decided(context, { decision: 'sign', returned: 'success', status: 'ACCEPTED' })
      await shownAs(context, ordered, 'InProgress', 'Completed', 'CustomerActionRequired')
    },
  },
  {
    id: 'payments-approval-rejected',
    title: 'A rejected approval leaves the payment unsigned',
    rule: 'The user returns with status=rejected, the approval becomes REJECTED; the payment stays Unsigned, and may be approved again.',
    reference: SIGNING,
    run: async (context) => {
      const ordered = await decided(context, { decision: 'reject', returned: 'rejected', status: 'REJECTED' })
      await shownAs(context, ordered, 'Unsigned')
      const again = await decideApproval(context, ordered, 'sign')
      require(again.result.outcome === 'success', `A second approval ended with ${String(again.result.outcome)}`)
    },
  },
  {
    id: 'payments-approval-left',
    title: 'An approval that the user left is cancelled',
    rule: 'The user returns with status=cancelled, the approval becomes CANCELLED, and the payment stays Unsigned.',
    reference: SIGNING,
    run: async (context) => {
      const ordered = await decided(context, { decision: 'leave', returned: 'cancelled', status: 'CANCELLED' })
      await shownAs(context, ordered, 'Unsigned')
    },
  },
  {
    id: 'payments-settled',
    title: 'A settled payment is Completed',
    rule: 'Once the bank has booked it the status is Completed and final, and the history shows each status that it had.',
    reference: LIFE,
    run: async (context) => {
      const payment = await shownAs(context, await settledPayment(context), 'Completed')
      const statuses = payment.statusHistory.map(({ status }) => status)
      require(payment.finalStatus, 'finalStatus is false')
      require(statuses[0] === 'Unsigned' && statuses.at(-1) === 'Completed', `The history is ${statuses.join(', ')}`)
      require(payment.updatedAt >= payment.createdAt, `updatedAt ${payment.updatedAt} is before createdAt`)
    },
  },
  {
    id: 'payments-rejected-by-bank',
    title: 'A payment that the bank rejects is Rejected',
    rule: 'The status is what the bank reports.',
    reference: LIFE,
    run: async (context) => {
      requireSandbox(context)
      const ordered = await orderPayment(context)
      const { paymentId } = ordered.initiated
      await context.succeed('setSandboxPaymentStatus', { params: { paymentId }, body: { transactionStatus: 'RJCT' } })
      const { finalStatus } = await shownAs(context, ordered, 'Rejected')
      require(finalStatus, 'finalStatus is false')
    },
  },
]
