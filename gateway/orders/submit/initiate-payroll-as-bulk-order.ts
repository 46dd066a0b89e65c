/** Submits a payroll to its bank as one order: records the submission, submits once, and records the answer. */

import type { PaymentInitiated } from '../../../contract/payments/payment-operations.ts'
import type { PayrollRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { PayrollInitiated, PayrollWarning } from '../../../contract/payrolls/payroll-response.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import type { BulkOrder } from '../../banks/connector/bank-order.ts'
import type { BulkPaymentProduct } from '../../banks/connector/connector.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { DatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { mapYieldingToEventLoop } from '../../platform/yield-to-event-loop.ts'
import { withDebtorIban } from '../parse/domestic-order.ts'
import { bulkOrderOf, type PayrollInstruction } from '../parse/payroll-orders.ts'
import { duplicateOrderWarnings } from '../parse/payroll-warnings.ts'
import { bulkIdOf, contentDigest, firstEndToEndIdOf } from '../payroll-order.ts'
import { renderPayrollTransaction } from '../render-payroll-transactions.ts'
import { deletePayrollContents } from '../store/payroll-contents.ts'
import { deletePayroll } from '../store/payroll-store.ts'
import { createPayroll, type PayrollInitiationParameters, toPayrollConflictError } from './create-payroll.ts'
import { toPayrollApiError } from './payroll-api-error.ts'
import { deletePayrollSubmission, type PayrollSubmission, recordPayrollSubmission } from './payroll-submission.ts'
import { recordPayrollAcknowledgement } from './record-acknowledgement.ts'
import { submitOrder } from './submit-order.ts'

type BulkOrderSubmission = {
  readonly submission: PayrollSubmission<BulkOrder>
  readonly warnings: readonly PayrollWarning[]
}

/** A rejection deletes the payroll; any uncertain answer leaves a payroll with an unknown outcome. */
export async function initiatePayrollAsBulkOrder(
  context: Context,
  caller: ConsentCaller,
  instruction: PayrollInstruction,
  parameters: PayrollInitiationParameters,
): Promise<PayrollInitiated> {
  const { bank, writeAcknowledgement, idempotent } = parameters
  const product = requireBulkSupport(context, bank)
  const { submission, warnings } = await createPayrollSubmission(context, caller, instruction, parameters)
  const answer = await submitOrder(context, caller, submission, {
    bank,
    product,
    toApiError: toPayrollApiError,
    onRejected: () => deletePayrollOfOrder(context, submission),
  })
  const renderInitiated = (initiated: PaymentInitiated) =>
    payrollResponse(submission.payrollId, instruction.ordered, initiated, warnings)
  const tools = { writeAcknowledgement, idempotent, bank, replayAnswer: renderInitiated }
  return await renderInitiated(
    await recordPayrollAcknowledgement(context, { submission, first: 0, taken: answer }, tools),
  )
}

function requireBulkSupport({ banks }: Context, bank: Bank): BulkPaymentProduct {
  const { bulkPayments } = banks.connectorOf(bank)
  if (bulkPayments === undefined) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} does not accept payrolls here`)
  }
  return bulkPayments
}

/** Stores payroll, transactions and submission in one transaction. Throws `conflict` while an equal order, or the same key, is open. */
async function createPayrollSubmission(
  context: Context,
  caller: ConsentCaller,
  instruction: PayrollInstruction,
  { bank, submissionMode, bulkId, account, idempotent }: PayrollInitiationParameters,
): Promise<BulkOrderSubmission> {
  const id = newId()
  // Whatever may fail on our side must fail before anything is stored.
  const { ordered, warnings } = instruction
  const batchBooking = bank.profile.payroll?.batchBooking === true
  const bulk = await bulkOrderOf(instruction.orders, { bulkId: bulkIdOf(id), batchBooking })
  const order = withDebtorIban(bulk, account.iban)
  const [digest, endToEndId] = [await contentDigest(context.digest, ordered), firstEndToEndIdOf(ordered)]
  let begun: PayrollSubmissionKey | undefined
  try {
    const { payroll, result } = await createPayroll(context, caller, instruction, {
      ...{ bank, submissionMode, bulkId },
      within: (context, { id: payrollId, transactionCount: count, ...facts }) => {
        begun = { partnerId: facts.partnerId, payrollId, paymentId: id }
        const row = { id, order, digest, endToEndId, as: 'bulk', range: { first: 0, count } } as const
        return recordPayrollSubmission(context, { ...row, payroll: { ...facts, payrollId } }, idempotent)
      },
    })
    const duplicates = await duplicateOrderWarnings(context, payroll, result.duplicateOf)
    return { submission: result.submission, warnings: [...duplicates, ...warnings] }
  } catch (error) {
    if (error instanceof DatabaseUnavailable && begun !== undefined) {
      // It may be stored; the bank was not asked, so that it is not an unknown outcome.
      const stored = begun
      context.outcomes.record(() => deletePayrollOfOrder(context, stored)).catch(() => undefined)
    }
    throw await toPayrollConflictError(
      context,
      { ...caller, endToEndId, digest, currency: order.debtor.currency },
      error,
    )
  }
}

type PayrollSubmissionKey = Pick<PayrollSubmission<BulkOrder>, 'partnerId' | 'payrollId' | 'paymentId'>

async function deletePayrollOfOrder(context: Context, submission: PayrollSubmissionKey): Promise<void> {
  const { partnerId, payrollId: id } = submission
  await deletePayrollSubmission(context, submission, async ({ database }) => {
    await deletePayroll(database, { partnerId, id })
    await deletePayrollContents(database, submission)
  })
}

/** The bank reports one status for all transactions. */
async function payrollResponse(
  payrollId: string,
  { transactions }: PayrollRequest,
  { paymentStatus }: PaymentInitiated,
  warnings: readonly PayrollWarning[],
): Promise<PayrollInitiated> {
  const { endToEndId: _none, ...status } = renderPayrollTransaction('', transactionStatusOf(paymentStatus))
  return {
    payrollId,
    transactions: await mapYieldingToEventLoop(transactions, ({ metadata: { endToEndId } }) => ({
      endToEndId,
      ...status,
    })),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  }
}

function transactionStatusOf({ status, statusReason, statusReasonText, timestamp }: PaymentInitiated['paymentStatus']) {
  return {
    status,
    statusReason: statusReason ?? null,
    statusReasonText: statusReasonText ?? null,
    statusAt: Temporal.Instant.from(timestamp),
  }
}
