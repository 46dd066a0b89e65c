/** Checks which payments cannot be approved, and which accounts cannot pay. */
import type { Check } from '../check.ts'
import { errorProblems, require, requireNone } from '../expectations.ts'
import { describeAnswer } from '../http/exchange.ts'
import { signedPayment, unsignedPayment } from '../subjects/payments.ts'
import { UNKNOWN_ID } from './operations-by-need.ts'

const SIGNING = 'Guide: signing'

export const PAYMENT_RULE_CHECKS: readonly Check[] = [
  {
    id: 'payments-approval-of-signed',
    title: 'A signed payment cannot be approved again',
    rule: 'The response is 422 InvalidRequest at .payments[0].',
    reference: SIGNING,
    run: async (context) => {
      const { initiated, consentId } = await signedPayment(context)
      const body = { payments: [initiated.paymentId], callbackUrl: context.target.callbackUrl }
      const expected = { status: 422, codes: ['InvalidRequest'], path: '.payments[0]' }
      requireNone(errorProblems(await context.call('approvePayments', { consentId, body }), expected))
    },
  },
  {
    id: 'payments-approval-list',
    title: 'An approval needs payments that exist, each once',
    rule: 'An empty list and a repeated id are 422 at .payments; an unknown id is 404.',
    reference: 'API reference: approvePayments',
    run: async (context) => {
      const { initiated, consentId } = await unsignedPayment(context)
      const approve = (payments: readonly string[]) =>
        context.call('approvePayments', { consentId, body: { payments, callbackUrl: context.target.callbackUrl } })
      const invalid = { status: 422, codes: ['InvalidRequest'], path: '.payments' }
      requireNone([
        ...errorProblems(await approve([]), invalid),
        ...errorProblems(await approve([initiated.paymentId, initiated.paymentId]), invalid),
        ...errorProblems(await approve([UNKNOWN_ID]), { status: 404, codes: ['NotFound'] }),
      ])
    },
  },
  {
    id: 'payments-debtor-account',
    title: 'Only accounts of the consent can pay',
    rule: 'A valid account that is not on the consent is 400 ACCESS_DENIED.',
    reference: 'Error catalogue: ACCESS_DENIED',
    run: async (context) => {
      const { order, consentId } = await unsignedPayment(context)
      const from = { ...order.from, account: order.to.account }
      const to = { ...order.to, account: order.from.account }
      const answer = await context.call('initiateDomesticPayment', { consentId, body: { ...order, from, to } })
      requireNone(errorProblems(answer, { status: 400, codes: ['ACCESS_DENIED'] }))
      require(!answer.text.includes(order.to.account.bban), `${describeAnswer(answer)}, and repeats the account number`)
    },
  },
]
