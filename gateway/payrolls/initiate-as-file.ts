/** Keeps a payroll that goes to its bank in a file; it is sent behind the answer, and nobody has to be there. */
import type { PayrollAsked } from '../../contract/payrolls/payroll-request.ts'
import type { PayrollInitiated } from '../../contract/payrolls/payroll-response.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { endToEndIdOf } from '../orders/payroll/payroll-order.ts'
import { keepPayoutsIntent } from '../orders/payroll/payroll-submission.ts'
import { markQueued } from '../orders/payroll/record-file-order-queued.ts'
import { newId } from '../platform/ids.ts'
import { insertFile } from './files/payment-file-store.ts'
import { keepWithAnswer } from './keep-with-answer.ts'
import type { InitiationHow } from './payroll-initiation.ts'
import { duplicateWarnings } from './payroll-warnings.ts'

/** Payroll, order, file and answer are kept at once: whatever happens then, the file is sent once. */
export async function initiateAsFile(
  context: Context,
  caller: ConsentCaller,
  ordered: PayrollAsked,
  how: InitiationHow,
): Promise<PayrollInitiated> {
  const endToEndId = endToEndIdOf(ordered)
  const { answer } = await keepWithAnswer(context, caller, ordered, how, async (transaction, begun, digest) => {
    const { id: payrollId, transactionCount: count, ...facts } = begun
    const [id, { partnerId, createdAt, bic }] = [newId(), facts]
    const toKeep = { id, digest, endToEndId, as: 'file', range: { first: 0, count }, order: null } as const
    const payroll = { ...facts, payrollId }
    const { duplicateOf } = await keepPayoutsIntent(context, transaction, { ...toKeep, payroll })
    const messageId = await markQueued(transaction, { partnerId, id })
    await insertFile(transaction, { partnerId, id, bic, messageId, createdAt })
    return await duplicateWarnings(
      { database: { ...context.database, query: transaction.query } },
      payroll,
      duplicateOf,
    )
  })
  return answer
}
