/** Selects the payroll orders among payments, which are signed and cancelled like payments. */
import type { Payment, PayrollPayment } from './payment.ts'

/** An order of a payroll. */
export type PayrollOrder = PayrollPayment & { readonly payrollId: string }

/** Returns the payroll orders among the payments. */
export function selectPayrollOrders(payments: readonly Payment[]): readonly PayrollOrder[] {
  return payments.flatMap((payment) =>
    payment.type === 'Payroll' && payment.payrollId !== null ? [{ ...payment, payrollId: payment.payrollId }] : [],
  )
}

/** What partners see of an order: a payment, or the payroll that it belongs to. */
export type Instruction = {
  readonly id: string
  readonly noun: 'payment' | 'payroll'
  /** What an approval is of, in events. */
  readonly subject: 'payments' | 'payrolls'
  /** Its part of the API's paths. */
  readonly path: 'payments' | 'payroll'
  /** Whether only the signing user may read it: a bank's text may repeat names and amounts of salaries. */
  readonly isPrivate: boolean
}

/** The instruction that an order belongs to. */
export function instructionOf({ id, payrollId }: Pick<Payment, 'id' | 'payrollId'>): Instruction {
  return payrollId === null
    ? { id, noun: 'payment', subject: 'payments', path: 'payments', isPrivate: false }
    : { id: payrollId, noun: 'payroll', subject: 'payrolls', path: 'payroll', isPrivate: true }
}
