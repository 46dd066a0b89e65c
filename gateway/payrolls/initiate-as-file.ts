/** Keeps a payroll that goes to its bank in a file; it is sent behind the answer, and nobody has to be there. */
import type { PayrollAsked } from '../../contract/payroll.ts'
import type { PayrollInitiated } from '../../contract/payroll-shown.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { keepAnsweredRequest } from '../foundation/http/idempotency-store.ts'
import { newId } from '../foundation/ids.ts'
import { situationAt } from '../payments/order-situation.ts'
import { markQueued } from '../payments/payroll-order/file-order.ts'
import { keepPayoutsIntent } from '../payments/payroll-order/payout-intent.ts'
import { contentDigest } from '../payments/payroll-order/payroll-order.ts'
import { shownPayout } from '../payments/payroll-order/shown-payouts.ts'
import { insertFile } from './files/file-store.ts'
import type { InitiationHow } from './initiate-payroll.ts'
import { keepPayroll } from './keep-payroll.ts'
import type { Payroll } from './payroll.ts'
import { payrollConflictOf } from './payroll-conflict.ts'
import { duplicateWarnings, warningsOnPayroll } from './payroll-warnings.ts'

/** Payroll, order, file and answer are kept at once: whatever happens then, the file is sent once. */
export async function initiateAsFile(
  context: Context,
  caller: ConsentCaller,
  ordered: PayrollAsked,
  { bank, way, bulkId, idempotent }: InitiationHow,
): Promise<PayrollInitiated> {
  const warnings = await warningsOnPayroll(ordered, situationAt(context.clock, bank, caller.consent))
  const digest = contentDigest(context.seal, ordered)
  const endToEndId = ordered.transactions[0]?.metadata.endToEndId ?? ''
  try {
    const { kept } = await keepPayroll(context, caller, ordered, {
      ...{ bank, way, bulkId },
      within: async (transaction, { id: payrollId, transactionCount: count, ...facts }) => {
        const [id, { partnerId, createdAt }] = [newId(), facts]
        const toKeep = { id, digest, endToEndId, as: 'file', range: { first: 0, count }, order: null } as const
        const payroll = { ...facts, payrollId }
        const { duplicateOf } = await keepPayoutsIntent(context, transaction, { ...toKeep, payroll })
        const messageId = await markQueued(transaction, { partnerId, id })
        await insertFile(transaction, { partnerId, id, bic: bank.bic, messageId, createdAt })
        const within = { database: { ...context.database, query: transaction.query } }
        const duplicates = await duplicateWarnings(within, { partnerId }, duplicateOf)
        const answer = answerOf(ordered, { id: payrollId, createdAt }, [...duplicates, ...warnings])
        await (idempotent &&
          keepAnsweredRequest(transaction, idempotent.intentFor(payrollId), idempotent.answerOf(answer)))
        return answer
      },
    })
    if (idempotent !== null) {
      idempotent.answerKept = true
    }
    return kept
  } catch (error) {
    throw await payrollConflictOf(context, undefined, error)
  }
}

function answerOf(
  { transactions }: PayrollAsked,
  { id, createdAt: statusAt }: Pick<Payroll, 'id' | 'createdAt'>,
  warnings: NonNullable<PayrollInitiated['warnings']>,
): PayrollInitiated {
  const standing = { status: 'Unsigned', statusReason: null, statusReasonText: null, statusAt } as const
  return {
    payrollId: id,
    transactions: transactions.map(({ metadata: { endToEndId } }) => shownPayout(endToEndId, standing)),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  }
}
