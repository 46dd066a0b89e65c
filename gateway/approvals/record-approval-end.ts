/** Records the end of an approval, with its event. */
import type { ApprovalStatus } from '../../contract/approvals.ts'
import { approvalEventTypes } from '../../contract/webhooks/event-types.ts'
import type { Context } from '../context.ts'
import type { Payment } from '../orders/payment.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { enqueueSelectedEvents } from '../webhooks/events/enqueue-selected-events.ts'
import type { Approval } from './approval.ts'
import { endApproval } from './approval-store.ts'

/** What an approval ends with, and the orders that it approved. */
export type ApprovalEnd = {
  readonly status: ApprovalStatus
  readonly resultByPayment: ReadonlyMap<string, ApprovalStatus>
  readonly payments: readonly Payment[]
}

/** Returns false if it had ended before. */
export async function recordApprovalEnd(
  context: Context,
  approval: Approval,
  { status, resultByPayment, payments }: ApprovalEnd,
): Promise<boolean> {
  const { partnerId, id: approvalId, status: previousStatus } = approval
  return await inTransaction(context, async (context) => {
    const at = context.clock.now()
    const isEnded = await endApproval(context.database, approval, { status, resultByPayment, at })
    if (isEnded && status !== 'STARTED') {
      const subject = payments.some(({ payrollId }) => payrollId !== null) ? 'payrolls' : 'payments'
      const data = { approvalId, subject, previousStatus, status } as const
      const change = { type: approvalEventTypes[status], subjectId: approvalId, data }
      await enqueueSelectedEvents(context.database, { partnerId, at }, [change])
    }
    return isEnded
  })
}
