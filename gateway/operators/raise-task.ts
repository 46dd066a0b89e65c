/** Raises operator tasks, closes them when their cause resolves itself, and has the queries on them. */

import { type Kysely, sql } from 'kysely'
import { columnsOf, rowOf, type TableOf } from '../platform/database/columns.ts'
import type { Database } from '../platform/database/database.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/ids.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { writeAuditEntry } from './audit-log.ts'
import { standsForItsIncident } from './incident.ts'
import { type Operator, type OperatorTask, type TaskKind, taskAdvice } from './operator-task.ts'

type Tables = { operator_tasks: TableOf<OperatorTask & { readonly proposedAt: Temporal.Instant | null }> }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** The columns of a task. */
export const TASK = columnsOf(
  'partnerId',
  'id',
  'kind',
  'subjectType',
  'subjectId',
  'advice',
  'detail',
  'status',
  'createdAt',
  'proposedBy',
  'proposedBySubject',
  'proposedResolution',
  'resolvedBy',
  'resolution',
  'resolvedAt',
)

/** The subject of a task. `detail` is shown in the console: no names, accounts or amounts of payrolls. */
export type TaskSubject = {
  readonly partnerId: string
  readonly kind: TaskKind
  /** An `order` is one that the database does not hold; a `row` is one that a sweep fails to process. */
  readonly subjectType: 'payment' | 'payroll' | 'order' | 'onboarding' | 'deal' | 'receipt' | 'row'
  readonly subjectId: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** A task about a payment, or about an order of a payroll, without its detail. */
export function paymentTask<const Kind extends TaskKind>(
  { partnerId, id: subjectId }: { readonly partnerId: string; readonly id: string },
  kind: Kind,
) {
  return { partnerId, kind, subjectType: 'payment', subjectId } as const
}

/**
 * Raises a task unless the same one is open already; inside a transaction when that is passed instead of the database.
 */
export async function raiseTask(
  { database, clock, log }: ProgramContext,
  { partnerId, kind, subjectType, subjectId, detail }: TaskSubject,
): Promise<void> {
  const about = { partnerId, kind, subjectType, subjectId, detail, advice: taskAdvice[kind] }
  const { numInsertedOrUpdatedRows } = await tables(database)
    .insertInto('operator_tasks')
    .values(rowOf({ ...about, id: newId(), status: 'open', createdAt: clock.real() }))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 1n) {
    log.warn({ kind, subjectId }, 'an operator task was raised')
  }
}

type ResolvedSubject = Pick<TaskSubject, 'partnerId' | 'kind' | 'subjectId'> & Partial<Pick<TaskSubject, 'subjectType'>>

/** Closes the task of a cause that resolved itself, with the resolution. */
export async function resolveTaskAutomatically(
  context: ProgramContext,
  { partnerId, kind, subjectId, subjectType = 'payment' }: ResolvedSubject,
  reason: string,
): Promise<void> {
  const resolution = { reason }
  const closing = { by: 'havn', resolution, at: context.clock.real() }
  if (await closeTasks(context.database, { partnerId, kind, subjectId }, closing)) {
    const detail = { kind, resolution }
    const subject = [subjectType, subjectId] as const
    await writeAuditEntry(context, { partnerId, actor: 'havn', action: 'task resolved', subject, detail })
  }
}

/** The open tasks, oldest first; of an incident the first one. */
export async function listOpenTasks(database: Database<unknown>): Promise<readonly OperatorTask[]> {
  return await tables(database)
    .selectFrom('operator_tasks as t')
    .select(TASK)
    .where('status', '<>', 'resolved')
    .where(standsForItsIncident())
    .orderBy('created_at')
    .execute()
}

/** The details of tasks of a kind that wait for an operator, oldest first. */
export async function listOpenTaskDetails(
  database: Queryable,
  { partnerId, kind }: Pick<TaskSubject, 'partnerId' | 'kind'>,
  limit: number,
): Promise<readonly OperatorTask['detail'][]> {
  const rows = await tables(database)
    .selectFrom('operator_tasks')
    .select('detail')
    .where('partner_id', '=', partnerId)
    .where('kind', '=', kind)
    .where('status', '<>', 'resolved')
    .orderBy('created_at')
    .limit(limit)
    .execute()
  return rows.map(({ detail }) => detail)
}

/** One task by its id, whatever its status. */
export async function findTask(database: Database<unknown>, id: string): Promise<OperatorTask | undefined> {
  return await tables(database).selectFrom('operator_tasks').select(TASK).where('id', '=', id).executeTakeFirst()
}

/** Adds new facts to the detail of an open task. */
export async function addTaskDetail(
  { database }: ProgramContext,
  { detail, ...subject }: TasksOfSubject & Pick<OperatorTask, 'detail'>,
): Promise<void> {
  await updateWaiting(database, subject)
    .set({ detail: sql<Record<string, unknown>>`detail || ${JSON.stringify(detail)}::jsonb` })
    .execute()
}

/** Whether such a task was ever raised, resolved or not. */
export async function wasTaskRaised({ database }: ProgramContext, subject: TasksOfSubject): Promise<boolean> {
  return (await tasksOf(database, subject).executeTakeFirst()) !== undefined
}

/** Whether such a task waits for an operator. */
export async function isTaskOpen({ database }: ProgramContext, subject: TasksOfSubject): Promise<boolean> {
  return (await tasksOf(database, subject).where('status', '<>', 'resolved').executeTakeFirst()) !== undefined
}

function tasksOf(database: Queryable, { partnerId, subjectId, kind }: TasksOfSubject) {
  return tables(database)
    .selectFrom('operator_tasks')
    .select('id')
    .where('partner_id', '=', partnerId)
    .where('subject_id', '=', subjectId)
    .where('kind', '=', kind)
    .limit(1)
}

/** Sets the gauge of open tasks, by kind; an incident counts once, and kinds without open tasks show as 0. */
export async function updateTaskMetrics({ database, metrics }: ProgramContext): Promise<void> {
  const rows = await tables(database)
    .selectFrom('operator_tasks as t')
    .select(({ fn }) => ['kind', fn.countAll<bigint>().as('count')])
    .where('status', '<>', 'resolved')
    .where(standsForItsIncident())
    .groupBy('kind')
    .execute()
  const counts = new Map<string, bigint>(rows.map(({ kind, count }) => [kind, count]))
  for (const kind of Object.keys(taskAdvice)) {
    metrics.openTasks.set({ kind }, Number(counts.get(kind) ?? 0n))
  }
}

/** Records the proposal of the first of two operators; false when the task is not open any more. */
export async function proposeResolution(
  database: Database<unknown>,
  task: OperatorTask,
  proposal: { readonly by: Operator; readonly resolution: unknown; readonly at: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await updateWaiting(database, task)
    .set({
      status: 'proposed',
      proposed_by: proposal.by.name,
      proposed_by_subject: proposal.by.subject,
      proposed_resolution: JSON.stringify(proposal.resolution),
      proposed_at: proposal.at.toString(),
    })
    .where('status', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Cancels a proposal, so that another can be made. */
export async function withdrawProposal(database: Database<unknown>, task: OperatorTask): Promise<void> {
  await updateWaiting(database, task)
    .set({ status: 'open', proposed_by: null, proposed_by_subject: null, proposed_resolution: null, proposed_at: null })
    .where('status', '=', 'proposed')
    .execute()
}

/** Closes a task, or those of a kind for a subject because the cause resolved itself; false when none waited. */
export async function closeTasks(
  database: Queryable,
  which: TaskKey | TasksOfSubject,
  closing: { readonly by: string; readonly resolution: unknown; readonly at: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await updateWaiting(database, which)
    .set({
      status: 'resolved',
      resolved_by: closing.by,
      resolution: JSON.stringify(closing.resolution),
      resolved_at: closing.at.toString(),
    })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

type TaskKey = Pick<OperatorTask, 'partnerId' | 'id'>
type TasksOfSubject = Pick<OperatorTask, 'partnerId' | 'subjectId' | 'kind'>

function updateWaiting(database: Queryable, which: TaskKey | TasksOfSubject) {
  const ofPartner = tables(database)
    .updateTable('operator_tasks')
    .where('partner_id', '=', which.partnerId)
    .where('status', '<>', 'resolved')
  return 'id' in which
    ? ofPartner.where('id', '=', which.id)
    : ofPartner.where('subject_id', '=', which.subjectId).where('kind', '=', which.kind)
}
