/** Parses a payroll as its request does, whatever its errors and however many transactions its bank accepts. */
import type { PayrollRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import type { PayrollInstruction } from '../../orders/parse/payroll-orders.ts'
import {
  collectValidationErrors,
  parsePayrollAt,
  payrollValidationContext,
  toPayrollInstruction,
} from '../../orders/parse/validate-payroll.ts'

export async function parsedPayroll(
  context: Context,
  caller: ConsentCaller,
  ordered: PayrollRequest,
): Promise<PayrollInstruction> {
  const { situation, ...validation } = await payrollValidationContext(context, caller, [])
  const { profile } = situation.bank
  const constraints = { ...profile.constraints, maxPayrollSize: null }
  const bank = { ...situation.bank, profile: { ...profile, constraints } }
  const unlimited = { ...validation, situation: { ...situation, bank } }
  const payments = await parsePayrollAt(collectValidationErrors(), '', ordered, unlimited)
  return await toPayrollInstruction(ordered, payments, unlimited)
}
