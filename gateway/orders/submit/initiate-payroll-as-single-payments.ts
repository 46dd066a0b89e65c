/** Stores a payroll whose bank accepts only single payments; the worker submits them, and is woken by the answer. */

import type { PayrollInitiated } from '../../../contract/payrolls/payroll-response.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { duplicatePayrollWarnings } from '../parse/duplicate-payroll-warnings.ts'
import type { PayrollInstruction } from '../parse/payroll-instruction.ts'
import { recordContentDigest } from '../store/payroll-store.ts'
import { createPayrollWithResponse } from './create-payroll-with-response.ts'
import type { PayrollInitiationParameters } from './payroll-initiation.ts'

export async function initiatePayrollAsSinglePayments(
  context: Context,
  caller: ConsentCaller,
  instruction: PayrollInstruction,
  parameters: PayrollInitiationParameters,
): Promise<PayrollInitiated> {
  const { answer } = await createPayrollWithResponse(
    context,
    caller,
    instruction,
    parameters,
    async ({ database }, begun, digest) => duplicatePayrollWarnings(await recordContentDigest(database, begun, digest)),
  )
  return answer
}
