/** Resolves an operator task: as many operators as its kind requires agree, a payment is settled, the task is closed. */
import type { Context } from '../../context.ts'
import { listTasksOfIncident } from '../../operators/incident.ts'
import type { Operator, OperatorTask } from '../../operators/operator-task.ts'
import {
  closeResolvedTask,
  proposeOrConfirmResolution,
  type Resolution,
  requireTask,
  TaskResolutionError,
} from '../../operators/resolve-task.ts'
import { findPayment } from '../store/payment-store.ts'
import { settleAsAcknowledgedByOperators, settleAsNeverAcknowledged } from './settle-unknown-outcome.ts'

/**
 * Returns whether the task awaits a second operator or is resolved; with `none-taken`, the tasks of its incident. After a
 * crash, repeat the same resolution.
 */
export async function resolvePaymentTask(
  context: Context,
  task: OperatorTask,
  operator: Operator,
  resolution: Resolution,
): Promise<'proposed' | 'resolved'> {
  if (resolution.type === 'none-taken') {
    return await resolveIncident(context, task, operator)
  }
  return await resolveAlone(context, task, operator, resolution)
}

/**
 * Proposes for every task of the incident that is open, or confirms every one that was proposed with it: an order that was
 * answered alike since then, or was settled alone, is not among them. Throws when some could not be settled; they stay
 * proposed, and confirming again goes on with them.
 */
async function resolveIncident(
  context: Context,
  task: OperatorTask,
  operator: Operator,
): Promise<'proposed' | 'resolved'> {
  const tasks = await listTasksOfIncident(context, task)
  const together = tasks.filter(
    ({ id, proposedResolution }) =>
      id === task.id || task.status === 'open' || Object(proposedResolution).type === 'none-taken',
  )
  if (together.length === 0) {
    throw new TaskResolutionError('The task belongs to no incident, or is resolved: resolve it alone')
  }
  const unsettled: string[] = []
  for (const { id, subjectId } of together) {
    try {
      await resolveAlone(context, await requireTask(context, id), operator, { type: 'none-taken' })
    } catch (error) {
      if (!(error instanceof TaskResolutionError) || together.length === 1) {
        throw error
      }
      unsettled.push(`${subjectId}: ${error.message}`)
    }
  }
  if (unsettled.length > 0) {
    throw new TaskResolutionError(
      `${unsettled.length} of ${together.length} orders were not changed: ${unsettled.join('; ')}`,
    )
  }
  return task.status === 'open' ? 'proposed' : 'resolved'
}

async function resolveAlone(
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
