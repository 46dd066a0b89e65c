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

/** Returns the id that partners see: that of the payment or of the payroll. */
export function publicIdOf({ id, payrollId }: Pick<Payment, 'id' | 'payrollId'>): string {
  return payrollId ?? id
}
