/** Reads which payrolls an approval is asked for: a list, which counts where it is given, or a single one. */
import type { PayrollApprovalAsked } from '../../../contract/payrolls/payroll-approval-operations.ts'
import type { Problem } from '../../platform/http/errors/api-error.ts'

/** A payroll that is asked for, and where in the request. */
export type PayrollAskedFor = { readonly id: string; readonly path: string }

/** In the order of the request. */
export function payrollsAsked({ payrolls, payrollId }: PayrollApprovalAsked): readonly PayrollAskedFor[] {
  if (payrolls !== undefined) {
    return payrolls.map((id, n) => ({ id: id.toLowerCase(), path: `.payrolls[${n}]` }))
  }
  return payrollId === undefined ? [] : [{ id: payrollId.toLowerCase(), path: '.payrollId' }]
}

/** What is wrong with the list itself: a payroll twice, be it once in capital letters. */
export function payrollListProblems(asked: PayrollApprovalAsked): readonly Problem[] {
  const firstById = new Map<string, string>()
  return payrollsAsked(asked).flatMap(({ id, path }) => {
    const first = firstById.get(id)
    firstById.set(id, first ?? path)
    return first === undefined ? [] : [{ code: 'InvalidRequest', reason: `is the same payroll as ${first}`, path }]
  })
}
