/** Defines a payroll as parsed against its bank: what was found out once and travels to its orders. */
import type { PayrollRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { PayrollWarning } from '../../../contract/payrolls/payroll-response.ts'
import type { DomesticOrder } from '../../banks/connector/bank-order.ts'
import type { DebtorAccountNumber } from '../../countries/account-number.ts'
import type { Money } from '../../platform/money.ts'
import { mapYieldingToEventLoop } from '../../platform/yield-to-event-loop.ts'
import { domesticOrderOf } from './domestic-order.ts'
import type { ValidDomesticPayment } from './domestic-payment-parts.ts'

/** A payroll as requested, and the order of each of its transactions; the debtor's IBAN is the computed one. */
export type PayrollInstruction = {
  readonly ordered: PayrollRequest
  readonly debtor: DebtorAccountNumber
  readonly currency: string
  readonly dueDate: Temporal.PlainDate
  readonly total: Money
  readonly orders: readonly DomesticOrder[]
  readonly warnings: readonly PayrollWarning[]
}

/** The instruction of a payroll whose transactions are all valid. Throws when there is none, or when one is missing. */
export async function payrollInstructionOf(
  ordered: PayrollRequest,
  payments: readonly ValidDomesticPayment[],
  warnings: readonly PayrollWarning[],
): Promise<PayrollInstruction> {
  const orders = await mapYieldingToEventLoop(payments, domesticOrderOf)
  const [payment] = payments
  // An order without one of the salaries would be paid as if it were complete.
  if (payment === undefined || payments.length !== ordered.transactions.length) {
    throw new Error(`A payroll of ${ordered.transactions.length} transactions has ${payments.length} valid ones`)
  }
  const { debtor, dueDate, amount } = payment
  const minor = orders.reduce((sum, order) => sum + order.amount.minor, 0n)
  const { currency } = amount
  return { ordered, debtor, currency, dueDate, total: { minor, currency }, orders, warnings }
}
