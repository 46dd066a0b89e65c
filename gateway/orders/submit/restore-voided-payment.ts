/** Restores a payment that operators had voided, because the bank acknowledged its order late. */
import type { Context } from '../../context.ts'
import { raiseTask } from '../../operators/raise-task.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { enqueueEvent } from '../../webhooks/events/enqueue-event.ts'
import { announcePayrollChanges } from '../status/announce-payroll-changes.ts'
import { recomputePayrollStatus } from '../store/payroll-status-store.ts'
import { type RestorationRow, writeRestoredPayment } from '../store/restored-payment-store.ts'

/** Writes status, history, task and event in one transaction. A payment that is not void is left unchanged. */
export async function restoreVoidedPayment(context: Context, row: RestorationRow, at: Temporal.Instant): Promise<void> {
  const { partner_id: partnerId, id: paymentId, bank_payment_id: bankPaymentId } = row
  await inTransaction(context, async (context) => {
    const restored = await writeRestoredPayment(context.database, row)
    if (restored === undefined) {
      return
    }
    const detail = { bankPaymentId, text: 'The bank accepted the order after operators had recorded that it never did' }
    const subject = { partnerId, kind: 'UnexpectedStatus', subjectType: 'payment', subjectId: paymentId } as const
    await raiseTask(context, { ...subject, detail })
    const { previousStatus, announcedAt, occurrence, payrollId } = restored
    if (payrollId !== null) {
      const key = { partnerId, payrollId }
      await announcePayrollChanges(context.database, key, at, await recomputePayrollStatus(context.database, key, at))
    } else if (previousStatus !== row.status) {
      const { status, status_reason: statusReason, status_reason_text: statusReasonText } = row
      const change = { paymentId, previousStatus, status, statusReason, statusReasonText }
      await enqueueEvent(context, context.database, { partnerId, occurredAt: announcedAt ?? at, occurrence, ...change })
    }
  })
}
