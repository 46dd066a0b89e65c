/** Checks what of an order is accepted although it looks unusual, and that all errors are reported at once. */
import type { DomesticPayment } from '../../contract/payments/domestic-payment.ts'
import type { Check } from '../check.ts'
import { reportedErrors, require, requireStatus, valueAt } from '../expectations.ts'
import { domesticOrder, ordering, orderPayment } from '../subjects/payments.ts'
import { today } from '../subjects/server-day.ts'

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
      const digits = /^\d+$/.test(account.organizationNumber)
      const order = await domesticOrder(context, await ordering(context))
      const from = {
        ...order.from,
        organizationNumber: digits ? Number(account.organizationNumber) : account.organizationNumber,
      }
      const changes = { from, purposeCode: null, laterField: { any: 'value' } } as unknown as Partial<DomesticPayment>
      const { initiated } = await orderPayment(context, changes)
      const payment = await context.succeed('getPayment', { params: { paymentId: initiated.paymentId } })
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
      const { initiated } = await orderPayment(context, { dueDate })
      const payment = await context.succeed('getPayment', { params: { paymentId: initiated.paymentId } })
      require(payment.dueDate === dueDate, `dueDate is shown as ${payment.dueDate}, ordered was ${dueDate}`)
    },
  },
]
