/** Holds payrolls whose submission a restore of the database has interrupted: their task is the hold. */
import { isTaskOpen, raiseTask } from '../../operators/raise-task.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import type { PayrollKey } from '../payroll-order.ts'
import { listPayrollsInSubmission } from '../store/payroll-operator-store.ts'

/** Raises a task for each payroll of which the rest would be submitted; returns how many there are. */
export async function holdPayrollsInSubmission(
  context: ProgramContext,
  detail: Readonly<Record<string, unknown>>,
): Promise<number> {
  const payrolls = await listPayrollsInSubmission(context.database)
  for (const { partnerId, id, bic, submissionMode } of payrolls) {
    const subject = { partnerId, kind: 'PayrollHeld', subjectType: 'payroll', subjectId: id } as const
    await raiseTask(context, { ...subject, detail: { bank: bic, submissionMode, ...detail } })
  }
  return payrolls.length
}

/** Whether nothing of the payroll may be submitted now. */
export async function isPayrollHeld(context: ProgramContext, { partnerId, payrollId }: PayrollKey): Promise<boolean> {
  return await isTaskOpen(context, { partnerId, kind: 'PayrollHeld', subjectId: payrollId })
}
