/** Keeps a payroll whose bank takes single payments alone; they are handed over behind the answer, as the user who is here. */
import type { PayrollAsked } from '../../contract/payroll.ts'
import type { PayrollInitiated } from '../../contract/payroll-shown.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { keepAnsweredRequest } from '../foundation/http/idempotency-store.ts'
import { situationAt } from '../payments/order-situation.ts'
import { contentDigest } from '../payments/payroll-order/payroll-order.ts'
import { shownPayout } from '../payments/payroll-order/shown-payouts.ts'
import type { InitiationHow } from './initiate-payroll.ts'
import { keepPayroll } from './keep-payroll.ts'
import type { Payroll } from './payroll.ts'
import { payrollConflictOf } from './payroll-conflict.ts'
import { noteContent } from './payroll-store.ts'
import { equalWarnings, warningsOnPayroll } from './payroll-warnings.ts'
import { placeRest } from './place-payroll.ts'

/** The answer is kept with the payroll: whatever becomes of the placing, the request is not carried out twice. */
export async function initiateAsSingles(
  context: Context,
  caller: ConsentCaller,
  ordered: PayrollAsked,
  { bank, way, bulkId, idempotent }: InitiationHow,
): Promise<PayrollInitiated> {
  const warnings = await warningsOnPayroll(ordered, situationAt(context.clock, bank, caller.consent))
  const digest = contentDigest(context.seal, ordered)
  try {
    const { payroll, kept } = await keepPayroll(context, caller, ordered, {
      ...{ bank, way, bulkId },
      within: async (transaction, begun) => {
        const answer = answerOf(ordered, begun, [
          ...equalWarnings(await noteContent(transaction, begun, digest)),
          ...warnings,
        ])
        await (idempotent &&
          keepAnsweredRequest(transaction, idempotent.intentFor(begun.id), idempotent.answerOf(answer)))
        return answer
      },
    })
    if (idempotent !== null) {
      idempotent.answerKept = true
    }
    placeRest(context, caller, payroll)
    return kept
  } catch (error) {
    throw await payrollConflictOf(context, undefined, error)
  }
}

function answerOf(
  { transactions }: PayrollAsked,
  payroll: Payroll,
  warnings: NonNullable<PayrollInitiated['warnings']>,
): PayrollInitiated {
  return {
    payrollId: payroll.id,
    transactions: transactions.map(({ metadata }) => shownPayout(metadata.endToEndId, unasked(payroll))),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  }
}

/** The bank has not been asked to take any of it. */
function unasked({ status, createdAt }: Payroll): Parameters<typeof shownPayout>[1] {
  return { status, statusReason: null, statusReasonText: null, statusAt: createdAt }
}
