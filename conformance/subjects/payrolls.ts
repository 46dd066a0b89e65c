/** Creates payrolls for checks: two small transactions to a known receiver. */
import type { PayrollRequest } from '../../contract/payrolls/payroll-request.ts'
import { type CheckContext, NotApplicable, Violation } from '../check.ts'
import { reportedErrors } from '../expectations.ts'
import { describeAnswer } from '../http/exchange.ts'
import { ordering, uniqueName } from './payments.ts'
import { nextWeekday } from './server-day.ts'
import { subject } from './subject.ts'

export type OrderedPayroll = {
  readonly consentId: string
  readonly request: PayrollRequest
  readonly payrollId: string
  /** The response to the order. */
  readonly transactions: readonly { readonly endToEndId: string; readonly payrollStatus: string }[]
}

const HOLIDAYS_IN_SUCCESSION_MAX = 6

/** A payroll with different amounts, which is due on the next weekday, or so many days later. */
export async function payrollRequest(context: CheckContext, laterDays = 0): Promise<PayrollRequest> {
  const { account, creditor } = await ordering(context)
  const day = (await nextWeekday(context, account.country)).add({ days: laterDays })
  return {
    from: { account: { bban: account.bban }, name: account.ownerName ?? 'Conformance Test' },
    transactions: ['1.25', '1.50'].map((amount) => ({
      metadata: { endToEndId: uniqueName() },
      name: creditor.name,
      account: { bban: creditor.bban },
      amount: { amount, currency: account.currency },
      remittanceInformation: { type: 'message', value: 'Test 1' },
    })),
    dueDate: day.toString(),
    purposeCode: 'SALA',
  }
}

/** Orders a payroll on the next day on which its bank is open. */
export async function orderPayroll(context: CheckContext): Promise<OrderedPayroll> {
  const { consentId } = await ordering(context)
  for (let days = 0; ; days++) {
    const request = await payrollRequest(context, days)
    const answer = await context.call('initiatePayroll', { consentId, body: request })
    if (answer.status === 200) {
      const { payrollId, transactions } = Object(answer.body)
      return { consentId, request, payrollId: String(payrollId), transactions }
    }
    const errors = reportedErrors(answer.body)
    if (answer.status === 403 || errors.some(({ code }) => code === 'UNSUPPORTED_PRODUCT_BY_BANK')) {
      throw new NotApplicable('The partner may not order payrolls, or its bank does not take them')
    }
    if (days === HOLIDAYS_IN_SUCCESSION_MAX || !errors.some(({ code }) => code === 'InvalidDueDate')) {
      throw new Violation([`${describeAnswer(answer)}, expected 200: ${answer.text.slice(0, 300)}`])
    }
  }
}

/** A payroll that no check changes. */
export const openPayroll = subject(orderPayroll)
