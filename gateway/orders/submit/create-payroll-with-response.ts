/** Stores a payroll together with the response to its request, so that a repeated request is not executed twice. */

import type { PayrollRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { PayrollInitiated, PayrollWarning } from '../../../contract/payrolls/payroll-response.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { DatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { outcomeUnknown } from '../../platform/http/errors/api-error.ts'
import { insertAnsweredRequest } from '../../platform/http/idempotency/idempotency-store.ts'
import { mapYieldingToEventLoop } from '../../platform/yield-to-event-loop.ts'
import type { PayrollInstruction } from '../parse/payroll-instruction.ts'
import type { Payroll } from '../payroll.ts'
import { contentDigest } from '../payroll-order.ts'
import { renderPayrollTransaction } from '../render-payroll-transactions.ts'
import { findPayroll, lockPayrollId } from '../store/payroll-store.ts'
import { createPayroll } from './create-payroll.ts'
import { toPayrollConflictError } from './payroll-conflict-error.ts'
import type { PayrollInitiationParameters } from './payroll-initiation.ts'

const COMMIT_UNKNOWN =
  'the payroll may or may not be stored. Poll the payroll named here, and send it again only when it does not exist'

/** Inserts related rows in the same transaction and returns warnings; `digest` identifies equal payrolls. */
export type CreateRelatedRecords = (
  context: Context,
  payroll: Payroll,
  digest: string,
) => Promise<readonly PayrollWarning[]>

/** Makes no call to the bank. Throws `conflict` while an equal order, or the same idempotency key, is open. */
export async function createPayrollWithResponse(
  context: Context,
  caller: ConsentCaller,
  instruction: PayrollInstruction,
  { bank, submissionMode, bulkId, idempotent }: PayrollInitiationParameters,
  createRelatedRecords: CreateRelatedRecords,
): Promise<{ readonly payroll: Payroll; readonly answer: PayrollInitiated }> {
  const { ordered, warnings } = instruction
  const digest = await contentDigest(context.digest, ordered)
  let created: { readonly payroll: Payroll; readonly answer: PayrollInitiated } | undefined
  const within = async (context: Context, begun: Payroll): Promise<PayrollInitiated> => {
    await lockPayrollId(context.database, begun)
    const found = await createRelatedRecords(context, begun, digest)
    const answer = await answerOf(ordered, begun, [...found, ...warnings])
    await (idempotent &&
      insertAnsweredRequest(context.database, idempotent.startRowFor(begun.id), idempotent.answerOf(answer)))
    created = { payroll: begun, answer }
    return answer
  }
  try {
    await createPayroll(context, caller, instruction, { bank, submissionMode, bulkId, within })
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable) || created === undefined) {
      throw await toPayrollConflictError(context, undefined, error)
    }
    await requireCommitted(context, created.payroll, error)
  }
  if (created === undefined) {
    throw new Error('A payroll was stored without its response')
  }
  if (idempotent !== null) {
    idempotent.answerStored = true
  }
  return created
}

/**
 * After a commit without an answer the database says whether the payroll is stored, from where workers submit it. Throws
 * the error when it is not and will not be, and 503 with its id while the database is away, or still commits.
 */
async function requireCommitted(context: Context, payroll: Payroll, error: DatabaseUnavailable): Promise<void> {
  const find = () =>
    inTransaction(context, async (context) => {
      await lockPayrollId(context.database, payroll)
      return await findPayroll(context.database, payroll)
    })
  const found = await context.outcomes.recordInTime(find).catch(() => {
    throw outcomeUnknown({ payrollId: payroll.id }, COMMIT_UNKNOWN)
  })
  if (found === undefined) {
    throw error
  }
}

async function answerOf(
  { transactions }: PayrollRequest,
  { id, status, createdAt: statusAt }: Payroll,
  warnings: readonly PayrollWarning[],
): Promise<PayrollInitiated> {
  const initialStatus = { status, statusReason: null, statusReasonText: null, statusAt }
  return {
    payrollId: id,
    transactions: await mapYieldingToEventLoop(transactions, ({ metadata: { endToEndId } }) =>
      renderPayrollTransaction(endToEndId, initialStatus),
    ),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  }
}
