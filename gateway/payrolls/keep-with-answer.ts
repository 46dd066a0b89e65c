/** Keeps a payroll with the answer to its order: whatever becomes of it behind the answer, the request is not carried out twice. */
import type { PayrollAsked } from '../../contract/payrolls/payroll-request.ts'
import type { PayrollInitiated, PayrollWarning } from '../../contract/payrolls/payroll-response.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { situationAt } from '../orders/instructions/validation-context.ts'
import { contentDigest } from '../orders/payroll/payroll-order.ts'
import { shownPayout } from '../orders/payroll/render-payroll-transactions.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { keepAnsweredRequest } from '../platform/http/idempotency/idempotency-store.ts'
import { mapLettingOthersIn } from '../platform/yield-to-event-loop.ts'
import { keepPayroll } from './keep-payroll.ts'
import type { Payroll } from './payroll.ts'
import { payrollConflictOf } from './payroll-conflict.ts'
import type { InitiationHow } from './payroll-initiation.ts'
import { warningsOnPayroll } from './payroll-warnings.ts'

/** What else is kept at once with a payroll; `digest` tells equal ones. Answers what its partner is warned of first. */
export type KeepBeside = (
  transaction: Queryable,
  payroll: Payroll,
  digest: string,
) => Promise<readonly PayrollWarning[]>

/** The bank has been asked nothing. Throws `conflict` while an equal order, or the same key, is open. */
export async function keepWithAnswer(
  context: Context,
  caller: ConsentCaller,
  ordered: PayrollAsked,
  { bank, way, bulkId, idempotent }: InitiationHow,
  keepBeside: KeepBeside,
): Promise<{ readonly payroll: Payroll; readonly answer: PayrollInitiated }> {
  const warnings = await warningsOnPayroll(ordered, situationAt(context.clock, bank, caller.consent))
  const digest = await contentDigest(context.seal, ordered)
  const within = async (transaction: Queryable, begun: Payroll): Promise<PayrollInitiated> => {
    const found = await keepBeside(transaction, begun, digest)
    const answer = await answerOf(ordered, begun, [...found, ...warnings])
    await (idempotent && keepAnsweredRequest(transaction, idempotent.intentFor(begun.id), idempotent.answerOf(answer)))
    return answer
  }
  try {
    const { payroll, kept } = await keepPayroll(context, caller, ordered, { bank, way, bulkId, within })
    if (idempotent !== null) {
      idempotent.answerKept = true
    }
    return { payroll, answer: kept }
  } catch (error) {
    throw await payrollConflictOf(context, undefined, error)
  }
}

async function answerOf(
  { transactions }: PayrollAsked,
  { id, status, createdAt: statusAt }: Payroll,
  warnings: readonly PayrollWarning[],
): Promise<PayrollInitiated> {
  const standing = { status, statusReason: null, statusReasonText: null, statusAt }
  return {
    payrollId: id,
    transactions: await mapLettingOthersIn(transactions, ({ metadata: { endToEndId } }) =>
      shownPayout(endToEndId, standing),
    ),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  }
}
