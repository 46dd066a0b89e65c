/** Keeps a payroll that goes to its bank in a file; it is sent behind the answer, and nobody has to be there. */
import type { PayrollAsked } from '../../contract/payroll.ts'
import type { PayrollInitiated } from '../../contract/payroll-shown.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { newId } from '../foundation/ids.ts'
import { markQueued } from '../payments/payroll-order/file-order.ts'
import { keepPayoutsIntent } from '../payments/payroll-order/payout-intent.ts'
import { endToEndIdOf } from '../payments/payroll-order/payroll-order.ts'
import { insertFile } from './files/file-store.ts'
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
