/** Parses which payrolls an approval request names: a list, which takes precedence, or a single one. */
import type { PayrollApprovalRequest } from '../../../contract/payrolls/payroll-approval-operations.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'

/** A requested payroll and its path in the request. */
export type RequestedPayroll = { readonly id: string; readonly path: string }

export function requestedPayrolls({ payrolls, payrollId }: PayrollApprovalRequest): readonly RequestedPayroll[] {
  if (payrolls !== undefined) {
    return payrolls.map((id, n) => ({ id: id.toLowerCase(), path: `.payrolls[${n}]` }))
  }
  return payrollId === undefined ? [] : [{ id: payrollId.toLowerCase(), path: '.payrollId' }]
}

/** Errors for payrolls that are listed twice; ids are compared without regard to case. */
export function duplicatePayrollErrors(request: PayrollApprovalRequest): readonly ValidationError[] {
  const firstById = new Map<string, string>()
  return requestedPayrolls(request).flatMap(({ id, path }) => {
    const first = firstById.get(id)
    firstById.set(id, first ?? path)
    return first === undefined ? [] : [{ code: 'InvalidRequest', reason: `is the same payroll as ${first}`, path }]
  })
}
