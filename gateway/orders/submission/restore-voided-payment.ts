/** Takes back what people said of an order: the bank took it after all, and its answer came late. */
import type { Context } from '../../context.ts'
import { raiseTask } from '../../operators/raise-task.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import { announce } from '../../webhooks/announce.ts'
import { settleWhole } from '../payroll/payroll-status-store.ts'
import { type RevivalRow, reviveVoid } from './submission-store.ts'

/** Status, history, task and event: all of it, or nothing. A payment that is not void is left as it is. */
export async function revivePayment(context: Context, row: RevivalRow, at: Temporal.Instant): Promise<void> {
  const { partner_id: partnerId, id: paymentId, bank_payment_id: bankPaymentId } = row
  await atomically(context.database, async (database) => {
    const revived = await reviveVoid(database, row)
    if (revived === undefined) {
      return
    }
    const detail = { bankPaymentId, text: 'The bank took the order after people had said that it never did' }
    const subject = { partnerId, kind: 'UnexpectedStatus', subjectType: 'payment', subjectId: paymentId } as const
    await raiseTask({ ...context, database }, { ...subject, detail })
    const { previousStatus, announcedAt, payrollId } = revived
    if (payrollId !== null) {
      await settleWhole(database, { partnerId, payrollId }, at)
    } else if (previousStatus !== row.status) {
      const { status, status_reason: statusReason, status_reason_text: statusReasonText } = row
      const change = { paymentId, previousStatus, status, statusReason, statusReasonText }
      await announce(context, database, { partnerId, occurredAt: announcedAt ?? at, ...change })
    }
  })
}
