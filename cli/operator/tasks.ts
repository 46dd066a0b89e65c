/** `havn tasks`: lists and resolves operator tasks. */

import type { Command } from 'commander'
import { listAuditLog } from '../../gateway/operators/audit-log.ts'
import { listTasksOfIncident } from '../../gateway/operators/incident.ts'
import { needsTwoOperators, type OperatorTask } from '../../gateway/operators/operator-task.ts'
import { getOpenTasks, type Resolution, requireTask } from '../../gateway/operators/resolve-task.ts'
import { formatAge } from '../../gateway/platform/clock.ts'
import { printableLine } from '../printable-text.ts'
import type { Table } from './print-table.ts'
import { type GatewayGiven, type Given, gatewayAction, operatorAction, tableCommand } from './run-operator-command.ts'
import { typedId } from './typed-values.ts'

type ResolutionOptions = {
  readonly taken?: string
  readonly neverTaken?: boolean
  readonly noneTaken?: boolean
  readonly note?: string
}

/** Records one operator's resolution of a task, and executes it once enough operators agree. */
async function resolve({ context, operator }: GatewayGiven, id: string, typed: ResolutionOptions): Promise<void> {
  const resolution = resolutionOf(typed)
  const task = await requireTask(context, taskId(id))
  const { length: count } = resolution.type === 'none-taken' ? await listTasksOfIncident(context, task) : [task]
  // It submits and cancels orders: loading that takes longer than the lists of tasks.
  const { resolvePaymentTask } = await import('../../gateway/orders/submit/resolve-payment-task.ts')
  const outcome = await resolvePaymentTask(context, task, operator, resolution)
  const resolved = count > 1 ? `${count} tasks are resolved` : 'The task is resolved'
  console.log(
    outcome === 'proposed'
      ? `Recorded as the proposal of ${operator.name}. A second operator must confirm it with the same options.`
      : `${resolved}, by ${operator.name}.`,
  )
}

function resolutionOf({ taken, neverTaken, noneTaken, note }: ResolutionOptions): Resolution {
  const given: Resolution[] = [
    ...(taken === undefined ? [] : [{ type: 'taken', bankPaymentId: taken.trim() } as const]),
    ...(neverTaken === true ? [{ type: 'never-taken' } as const] : []),
    ...(noneTaken === true ? [{ type: 'none-taken' } as const] : []),
    ...(note === undefined ? [] : [{ type: 'noted', note: note.trim() } as const]),
  ]
  const [resolution] = given
  if (resolution === undefined || given.length > 1) {
    throw new Error('Use one of --taken <bank payment id>, --never-taken, --none-taken, --note <text>')
  }
  if (Object.values(resolution).includes('')) {
    throw new Error('The bank payment id, or the note, is empty')
  }
  return resolution
}

/** The open tasks, oldest first. */
async function taskTable({ context }: Given): Promise<Table> {
  const tasks = await getOpenTasks(context)
  const now = context.clock.real()
  const together = await Promise.all(tasks.map((task) => listTasksOfIncident(context, task)))
  const rows = tasks.map((task, at) => ({
    task: task.id,
    kind: task.kind,
    state: { value: task.status, shown: stateOf(task) },
    since: { value: task.createdAt.toString(), shown: formatAge(task.createdAt, now) },
    'subject type': task.subjectType,
    subject: { value: task.subjectId, shown: withOthers(task.subjectId, together[at]?.length ?? 0) },
  }))
  return { rows, whenEmpty: 'No open tasks.' }
}

/** Prints one task with its advice and its history. */
async function printTask({ context }: Given, id: string): Promise<void> {
  const task = await requireTask(context, taskId(id))
  const audit = await listAuditLog(context, task.partnerId, task.subjectId)
  const together = await listTasksOfIncident(context, task)
  const lines = [
    `${task.kind}, ${stateOf(task)}, since ${task.createdAt}`,
    `Partner ${task.partnerId}, ${task.subjectType} ${task.subjectId}`,
    `What to do: ${task.advice}`,
    ...(task.status === 'resolved' ? [] : [`  havn tasks resolve ${task.id} ${optionsOf(task, together.length)}`]),
    ...Object.entries(task.detail).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`),
    ...together.map(
      ({ id, partnerId, subjectId }) => `  together: payment ${subjectId} of partner ${partnerId}, task ${id}`,
    ),
    ...(task.proposedBy === null ? [] : [`Proposed by ${task.proposedBy}: ${JSON.stringify(task.proposedResolution)}`]),
    ...(task.resolvedBy === null ? [] : [`Resolved by ${task.resolvedBy}: ${JSON.stringify(task.resolution)}`]),
    ...audit.map(({ at, actor, action }) => `  ${at} ${actor}: ${action}`),
  ]
  console.log(lines.map(printableLine).join('\n'))
}

function taskId(text: string): string {
  return typedId(text, 'the id of a task', 'havn tasks list')
}

function stateOf(task: OperatorTask): string {
  return task.status === 'proposed' ? `proposed by ${task.proposedBy}; needs a second operator` : task.status
}

/** The first of several that are settled together. */
function withOthers(subjectId: string, count: number): string {
  return count > 1 ? `${subjectId} and ${count - 1} more` : subjectId
}

function optionsOf({ kind }: OperatorTask, count: number): string {
  const all = count > 1 ? `, or --none-taken for all ${count} orders` : ''
  return needsTwoOperators(kind)
    ? `--taken <bank payment id>, or --never-taken${all}`
    : '--note <what was found and done>'
}

export function addTaskCommands(group: Command): void {
  tableCommand(group.command('list').description('print the open tasks, oldest first'), taskTable)
  group
    .command('show')
    .description('print one task, its advice and its history')
    .argument('<task>', "the task's id")
    .action(operatorAction(printTask))
  group
    .command('resolve')
    .description(
      'resolve a task; an unknown order outcome takes two operators, who each prove with HAVN_OPERATOR_TOKEN who they are',
    )
    .argument('<task>', "the task's id")
    .option('--taken <payment>', 'the bank has the order, under this bank payment id')
    .option('--never-taken', 'the bank never received the order')
    .option('--none-taken', 'the bank received none of the orders of this incident, which it answered alike')
    .option('--note <text>', 'what was found and done, for tasks without a decision')
    .action(gatewayAction(resolve))
}
