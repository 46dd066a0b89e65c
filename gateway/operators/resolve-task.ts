/** Resolves operator tasks: one operator for most, two for payments with unknown outcome. */

import type { Context } from '../context.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import type { AuditAction } from './audit-actions.ts'
import { writeAuditEntry } from './audit-log.ts'
import { needsTwoOperators, type Operator, type OperatorTask } from './operator-task.ts'
import { closeTasks, findTask, listOpenTasks, proposeResolution, withdrawProposal } from './raise-task.ts'

/**
 * The resolution of a task. `taken` and `never-taken` decide an unknown outcome, `none-taken` those of all orders of an
 * incident.
 */
export type Resolution =
  | { readonly type: 'taken'; readonly bankPaymentId: string }
  | { readonly type: 'never-taken' }
  | { readonly type: 'none-taken' }
  | { readonly type: 'noted'; readonly note: string }

/** What one operator decides about a task. */
type Decision = { readonly task: OperatorTask; readonly operator: Operator; readonly resolution: Resolution }

/** The result: the task waits for a second operator, or may be executed and closed. */
export type ResolutionStep = { readonly step: 'proposed' } | { readonly step: 'agreed'; readonly task: OperatorTask }

/** Why a resolution is rejected, for the operator. */
export class TaskResolutionError extends Error {}

const ALREADY_CHANGED = 'The task was changed by another operator; read it again'

/** The open tasks, oldest first. */
export async function getOpenTasks({ database }: ProgramContext): Promise<readonly OperatorTask[]> {
  return await listOpenTasks(database)
}

/** One task. Throws when there is none. */
export async function requireTask({ database }: ProgramContext, id: string): Promise<OperatorTask> {
  const task = await findTask(database, id)
  if (task === undefined) {
    throw new TaskResolutionError(`Task ${id} does not exist`)
  }
  return task
}

/** Records one operator's resolution. For a task with two, the first proposes and a second must propose the same. */
export async function proposeOrConfirmResolution(
  context: Context,
  task: OperatorTask,
  operator: Operator,
  resolution: Resolution,
): Promise<ResolutionStep> {
  if (task.status === 'resolved') {
    throw new TaskResolutionError(`The task has already been resolved by ${task.resolvedBy}`)
  }
  const decides = resolution.type !== 'noted'
  if (decides !== needsTwoOperators(task.kind)) {
    throw new TaskResolutionError(
      decides ? `Resolve a ${task.kind} task with --note` : `Resolve a ${task.kind} task with --taken or --never-taken`,
    )
  }
  if (!decides) {
    return { step: 'agreed', task }
  }
  if (operator.subject === null) {
    throw new TaskResolutionError(
      'Two operators decide this, and the command does not prove who you are: set HAVN_OPERATOR_TOKEN, or use the console',
    )
  }
  const decision = { task, operator, resolution }
  return task.status === 'open' ? await propose(context, decision) : await confirm(context, decision)
}

/** Closes a task whose resolution has been executed. Throws when a note comes after another operator's. */
export async function closeResolvedTask(
  context: Context,
  task: OperatorTask,
  operator: Operator,
  resolution: Resolution,
): Promise<void> {
  await inTransaction(context, async (context) => {
    const closing = { by: operator.name, resolution, at: context.clock.real() }
    // A decision stays in the audit log, since it was executed; of a note nothing was.
    if (!(await closeTasks(context.database, task, closing)) && resolution.type === 'noted') {
      throw new TaskResolutionError(ALREADY_CHANGED)
    }
    await audit(context, 'task resolved', { task, operator, resolution })
  })
}

async function propose(context: Context, decision: Decision): Promise<ResolutionStep> {
  const { task, operator, resolution } = decision
  await inTransaction(context, async (context) => {
    if (!(await proposeResolution(context.database, task, { by: operator, resolution, at: context.clock.real() }))) {
      throw new TaskResolutionError(ALREADY_CHANGED)
    }
    await audit(context, 'task resolution proposed', decision)
  })
  return { step: 'proposed' }
}

async function confirm(context: Context, { task, operator, resolution }: Decision): Promise<ResolutionStep> {
  // While the operator read the task, its proposal may have been cancelled, or replaced by another operator.
  const current = await requireTask(context, task.id)
  if (current.status !== 'proposed') {
    throw new TaskResolutionError(ALREADY_CHANGED)
  }
  if (current.proposedBySubject === operator.subject) {
    throw new TaskResolutionError('You made the proposal; a second operator must confirm it')
  }
  // The release before recorded no subject: who proposed it is unknown, and may be this operator.
  if (current.proposedBySubject === null || !isSame(current.proposedResolution, resolution)) {
    await inTransaction(context, async (context) => {
      await withdrawProposal(context.database, current)
      await audit(context, 'task resolution contradicted', { task: current, operator, resolution })
    })
    throw new TaskResolutionError(
      `${current.proposedBy} proposed another resolution; the proposal has been withdrawn. Agree on one and propose it again`,
    )
  }
  return { step: 'agreed', task: current }
}

async function audit(
  context: ProgramContext,
  action: AuditAction,
  { task, operator, resolution }: Decision,
): Promise<void> {
  const subject = [task.subjectType, task.subjectId] as const
  const detail = { task: task.id, kind: task.kind, resolution }
  await writeAuditEntry(context, { partnerId: task.partnerId, actor: operator.actor, action, subject, detail })
}

function isSame(proposed: unknown, resolution: Resolution): boolean {
  const inOrder = (value: unknown) => JSON.stringify(Object.entries(value ?? {}).sort())
  return inOrder(proposed) === inOrder(resolution)
}
