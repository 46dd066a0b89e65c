/** Stores a payroll that is submitted by a job, with the answer to its request, so that a repeated request is not executed twice. */
import type { PayrollRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { PayrollInitiated, PayrollWarning } from '../../../contract/payrolls/payroll-response.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { DatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { outcomeUnknown } from '../../platform/http/errors/api-error.ts'
import { insertAnsweredRequest } from '../../platform/http/idempotency/idempotency-store.ts'
import { newId } from '../../platform/ids.ts'
import { mapYieldingToEventLoop } from '../../platform/yield-to-event-loop.ts'
import type { PayrollInstruction } from '../parse/payroll-orders.ts'
import { duplicateOrderWarnings, duplicatePayrollWarnings } from '../parse/payroll-warnings.ts'
import type { Payroll } from '../payroll.ts'
import { contentDigest, firstEndToEndIdOf } from '../payroll-order.ts'
import { renderPayrollTransaction } from '../render-payroll-transactions.ts'
import { insertFile } from '../store/payment-file-store.ts'
import { findPayroll, lockPayrollId, recordContentDigest } from '../store/payroll-store.ts'
import { recordFileOrderQueued } from '../store/submission-outcome-store.ts'
import { createPayroll, type PayrollInitiationParameters, toPayrollConflictError } from './create-payroll.ts'
import { recordPayrollSubmission } from './payroll-submission.ts'

const COMMIT_UNKNOWN =
  'the payroll may or may not be stored. Poll the payroll named here, and send it again only when it does not exist'

/** Inserts related rows in the same transaction and returns warnings; `digest` identifies equal payrolls. */
type CreateRelatedRecords = (context: Context, payroll: Payroll, digest: string) => Promise<readonly PayrollWarning[]>

/** Makes no call to the bank. Throws `conflict` while an equal order, or the same idempotency key, is open. */
async function createPayrollWithResponse(
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
