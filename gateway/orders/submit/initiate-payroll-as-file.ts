/** Stores a payroll that a background job sends to its bank as a file. */

import type { PayrollInitiated } from '../../../contract/payrolls/payroll-response.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { duplicateOrderWarnings } from '../parse/duplicate-payroll-warnings.ts'
import type { PayrollInstruction } from '../parse/payroll-instruction.ts'
import { firstEndToEndIdOf } from '../payroll-order.ts'
import { insertFile } from '../store/payment-file-store.ts'
import { recordFileOrderQueued } from '../store/record-file-order-queued.ts'
import { createPayrollWithResponse } from './create-payroll-with-response.ts'
import type { PayrollInitiationParameters } from './payroll-initiation.ts'
import { recordPayrollSubmission } from './payroll-submission.ts'

/** Payroll, order, file and response are stored in one transaction, so the file is sent exactly once. */
export async function initiatePayrollAsFile(
  context: Context,
  caller: ConsentCaller,
  instruction: PayrollInstruction,
  parameters: PayrollInitiationParameters,
): Promise<PayrollInitiated> {
  const endToEndId = firstEndToEndIdOf(instruction.ordered)
  const { answer } = await createPayrollWithResponse(
    context,
    caller,
    instruction,
    parameters,
    async (context, begun, digest) => {
      const { id: payrollId, transactionCount: count, ...facts } = begun
      const [id, { partnerId, createdAt, bic }] = [newId(), facts]
      const row = { id, digest, endToEndId, as: 'file', range: { first: 0, count }, order: null } as const
      const payroll = { ...facts, payrollId }
      const { duplicateOf } = await recordPayrollSubmission(context, { ...row, payroll })
      const messageId = await recordFileOrderQueued(context.database, { partnerId, id })
      await insertFile(context.database, { partnerId, id, bic, messageId, createdAt })
      return await duplicateOrderWarnings(context, payroll, duplicateOf)
    },
  )
  return answer
}
