/** Warns of a payroll with the same transactions as one of the last 24 hours. */
import type { PayrollWarning } from '../../../contract/payrolls/payroll-response.ts'
import type { Context } from '../../context.ts'
import { findPayrollOfOrder } from '../find-payroll-of-order.ts'
import type { Payroll } from '../payroll.ts'

/** Warns of `duplicateOf`, an equal order of the last 24 hours. */
export async function duplicateOrderWarnings(
  context: Context,
  { partnerId }: Pick<Payroll, 'partnerId'>,
  duplicateOf: string | null,
): Promise<readonly PayrollWarning[]> {
  return duplicatePayrollWarnings(
    duplicateOf === null ? undefined : await findPayrollOfOrder(context, { partnerId, id: duplicateOf }),
  )
}

/** Warns of `payrollId`, an equal payroll of the last 24 hours. */
export function duplicatePayrollWarnings(payrollId: string | undefined): readonly PayrollWarning[] {
  const reason = 'A payroll with the same transactions was ordered within the last 24 hours'
  return payrollId === undefined ? [] : [{ code: 'PossibleDuplicate', reason, path: '.transactions', payrollId }]
}
