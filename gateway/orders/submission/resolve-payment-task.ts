/** Resolves an operator task: as many operators as its kind requires agree, a payment is settled, the task is closed. */
import type { Context } from '../../context.ts'
import type { Operator } from '../../operators/operator.ts'
import type { OperatorTask } from '../../operators/operator-task.ts'
import {
  closeResolvedTask,
  proposeOrConfirmResolution,
  type Resolution,
  TaskResolutionError,
} from '../../operators/resolve-task.ts'
import { findPayment } from '../payment-store.ts'
import { settleAsAcknowledgedByOperators, settleAsNeverAcknowledged } from './settle-unknown-outcome.ts'

/** Returns whether the task awaits a second operator or is resolved. After a crash, repeat the same resolution. */
export async function resolvePaymentTask(
  context: Context,
  task: OperatorTask,
  operator: Operator,
  resolution: Resolution,
): Promise<'proposed' | 'resolved'> {
  const { step } = await proposeOrConfirmResolution(context, task, operator, resolution)
  if (step === 'proposed') {
    return 'proposed'
  }
  await applyResolution(context, task, resolution)
  await closeResolvedTask(context, task, operator, resolution)
  return 'resolved'
}

async function applyResolution(context: Context, task: OperatorTask, resolution: Resolution): Promise<void> {
  if (resolution.type === 'noted') {
    return
  }
  const payment = await findPayment(context.database, { partnerId: task.partnerId, id: task.subjectId })
  if (payment === undefined) {
    throw new TaskResolutionError(`The payment ${task.subjectId} no longer exists`)
  }
  if (resolution.type === 'taken') {
    await settleAsAcknowledgedByOperators(context, payment, resolution.bankPaymentId)
  } else {
    await settleAsNeverAcknowledged(context, payment)
  }
}
