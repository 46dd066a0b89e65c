/** Records the acknowledgement of a payroll order, the bank's ids of its transactions and the payroll's status. */
import type { PaymentInitiated } from '../../../contract/payments/payment-operations.ts'
import type { BulkInitiationResult, DomesticOrder } from '../../banks/connector/bank-order.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { PayrollKey } from '../payroll-order.ts'
import { announcePayrollChanges } from '../status/announce-payroll-changes.ts'
import { recomputePayrollStatus } from '../store/payroll-status-store.ts'
import { recordBankTransactionIds } from '../store/payroll-transaction-store.ts'
import { submissionStatements, type WriteAcknowledgement } from '../store/submission-store.ts'
import { type AcknowledgementTools, recordAcknowledgement } from './record-acknowledgement.ts'
import type { Submission } from './submission.ts'

export type { WriteAcknowledgement } from '../store/submission-store.ts'

/** Returns the statement that records acknowledgements for a process. */
export function acknowledgementRecorder({ database }: Context): WriteAcknowledgement {
  return submissionStatements(database).writeAcknowledgement
}

/** An acknowledged order; positions count from `first`. */
export type PayrollAcknowledgement = {
  readonly submission: Submission<Pick<DomesticOrder, 'dueDate'>> & PayrollKey
  readonly first: number
  readonly taken: BulkInitiationResult
}

/**
 * Throws like `recordAcknowledgement`: the order is at the bank and recorded as such from then on. If the other writes
 * fail, the first poll makes up for them.
 */
export async function recordPayrollAcknowledgement(
  context: Context,
  { submission, first, taken }: PayrollAcknowledgement,
  tools: AcknowledgementTools,
): Promise<PaymentInitiated> {
  const initiated = await recordAcknowledgement(context, submission, taken, tools)
  const { elementIds } = taken
  if (elementIds !== undefined || initiated.paymentStatus.status !== 'Unsigned') {
    const recordDetails = async () =>
      await inTransaction(context, async (context) => {
        await (elementIds && recordBankTransactionIds(context.database, submission, first, elementIds))
        const at = context.clock.now()
        const change = await recomputePayrollStatus(context.database, submission, at)
        // An order that awaits its signature has changed nothing that partners see.
        if (initiated.paymentStatus.status !== 'Unsigned') {
          await announcePayrollChanges(context.database, submission, at, change)
        }
      })
    const onFailed = async (error: unknown) =>
      context.log.error(
        { paymentId: submission.paymentId, error },
        'the transaction ids of an acknowledged order could not be recorded',
      )
    await context.outcomes.recordInTime(recordDetails, onFailed).catch(() => undefined)
  }
  return initiated
}
