/** Resolves an operator task about a payment: people agree, what they say is carried out, then the task is closed. */
import type { Context } from '../context.ts'
import type { OperatorTask } from '../operators/operator-task.ts'
import { agreeOnResolution, closeResolved, type Resolution, ResolutionRefused } from '../operators/resolve-task.ts'
import { findPayment } from '../orders/payment-store.ts'
import { settleAsNeverTaken, settleAsTakenByOperators } from './settle-unknown-outcome.ts'

/** Whether the task waits for a second person, or is closed. A death in between is healed by saying the same again. */
export async function resolvePaymentTask(
  context: Context,
  task: OperatorTask,
  operator: string,
  resolution: Resolution,
): Promise<'proposed' | 'resolved'> {
  const { step } = await agreeOnResolution(context, task, operator, resolution)
  if (step === 'proposed') {
    return 'proposed'
  }
  await carryOut(context, task, resolution)
  await closeResolved(context, task, operator, resolution)
  return 'resolved'
}

async function carryOut(context: Context, task: OperatorTask, resolution: Resolution): Promise<void> {
  if (resolution.how === 'noted') {
    return
  }
  const payment = await findPayment(context.database, { partnerId: task.partnerId, id: task.subjectId })
  if (payment === undefined) {
    throw new ResolutionRefused(`There is no payment ${task.subjectId} any more`)
  }
  if (resolution.how === 'taken') {
    await settleAsTakenByOperators(context, payment, resolution.bankPaymentId)
  } else {
    await settleAsNeverTaken(context, payment)
  }
}
