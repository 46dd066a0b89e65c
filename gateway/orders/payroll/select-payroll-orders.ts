/** Tells orders of payrolls, which are signed and withdrawn as payments are, apart from the payments of partners. */
import type { Payment, PayrollPayment } from '../payment.ts'

/** An order of a payroll. */
export type PayrollOrder = PayrollPayment & { readonly payrollId: string }

/** Those among these that are orders of payrolls. */
export function payrollOrdersAmong(payments: readonly Payment[]): readonly PayrollOrder[] {
  return payments.flatMap((payment) =>
    payment.type === 'Payroll' && payment.payrollId !== null ? [{ ...payment, payrollId: payment.payrollId }] : [],
  )
}

/** What partners know an order by: the payment that it is, or the payroll that it is of. */
export function nameToPartners({ id, payrollId }: Pick<Payment, 'id' | 'payrollId'>): string {
  return payrollId ?? id
}
