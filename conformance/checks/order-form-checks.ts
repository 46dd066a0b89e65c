/** Checks what of an order is accepted although unusual, that all errors come at once, and what cannot be approved or pay. */
import type { DomesticPayment } from '../../contract/payments/domestic-payment.ts'
import type { Check } from '../check.ts'
import {
  errorProblems,
  reportedErrors,
  require,
  requireError,
  requireNone,
  requireStatus,
  valueAt,
} from '../expectations.ts'
import { describeAnswer } from '../http/exchange.ts'
import {
  domesticOrder,
  ordering,
  orderPayment,
  shownPayment,
  signedPayment,
  unsignedPayment,
} from '../subjects/payments.ts'
import { today } from '../subjects/subject.ts'
import { unknownId } from './operations-by-need.ts'

const REFERENCE = 'API reference: initiateDomesticPayment'

export const ORDER_FORM_CHECKS: readonly Check[] = [
  {
    id: 'values-all-errors',
    title: 'All errors of a request are reported at once',
    rule: 'The list has an error for each mistake, in the order of the body.',
    reference: 'Guide: first payment',
    run: async (context) => {
      const basis = await ordering(context)
      const order = await domesticOrder(context, basis)
      const to = { ...order.to, account: { type: 'bban', bban: '1' } }
      const body = { ...order, to, amount: { ...order.amount, amount: 'x' }, dueDate: 'x' }
      const answer = await context.call('initiateDomesticPayment', { consentId: basis.consentId, body })
      requireStatus(answer, 422)
      const paths = reportedErrors(answer.body).map(({ path }) => path)
      const expected = ['.to.account.bban', '.amount.amount', '.dueDate']
      const found = paths.filter((path) => expected.includes(path))
      require(found.join() ===
        expected.join(), `The errors are at ${paths.join(', ')}, expected ${expected.join(', ')}`)
    },
  },
  {
    id: 'values-tolerant',
    title: 'Unknown fields, null and numeric organisation numbers are accepted',
    rule: 'Unknown fields are ignored, null is as absent, and an organisation number may be a JSON number.',
    reference: REFERENCE,
    run: async (context) => {
      const { account } = await ordering(context)
      const { from: debtor } = await domesticOrder(context, await ordering(context))
      const { organizationNumber: number } = account
      const from = { ...debtor, organizationNumber: /^\d+$/.test(number) ? Number(number) : number }
      const changes = { from, purposeCode: null, laterField: { any: 'value' } } as unknown as Partial<DomesticPayment>
      const payment = await shownPayment(context, await orderPayment(context, changes))
      const shown = valueAt(payment, '.from.organizationNumber')
      require(shown === account.organizationNumber, `organizationNumber is shown as ${JSON.stringify(shown)}`)
    },
  },
  {
    id: 'values-due-date-today',
    title: 'A payment may be due today',
    rule: 'Today is the day in the time zone of the bank.',
    reference: REFERENCE,
    run: async (context) => {
      const { account } = await ordering(context)
      const dueDate = (await today(context, account.country)).toString()
      const payment = await shownPayment(context, await orderPayment(context, { dueDate }))
      require(payment.dueDate === dueDate, `dueDate is shown as ${payment.dueDate}, ordered was ${dueDate}`)
    },
  },
]

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
      requireError(await context.call('approvePayments', { consentId, body }), 422, 'InvalidRequest', '.payments[0]')
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
      const invalid = [422, 'InvalidRequest', '.payments'] as const
      requireNone([
        ...errorProblems(await approve([]), ...invalid),
        ...errorProblems(await approve([initiated.paymentId, initiated.paymentId]), ...invalid),
        ...errorProblems(await approve([unknownId()]), 404, 'NotFound'),
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
      requireError(answer, 400, 'ACCESS_DENIED')
      require(!answer.text.includes(order.to.account.bban), `${describeAnswer(answer)}, and repeats the account number`)
    },
  },
]
