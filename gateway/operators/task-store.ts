/** Queries on operator tasks. */
import { type ColumnType, type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { standsForItsIncident } from './incident.ts'
import type { Operator } from './operator.ts'
import type { OperatorTask, TaskKind, TaskStatus } from './operator-task.ts'

type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>
type Json = ColumnType<unknown, string | null | undefined, string | null>

type Tables = {
  operator_tasks: {
    partner_id: string
    id: string
    kind: TaskKind
    subject_type: string
    subject_id: string
    advice: string
    detail: ColumnType<Record<string, unknown>, string>
    status: TaskStatus
    created_at: ColumnType<Temporal.Instant, string>
    proposed_by: string | null
    proposed_by_subject: string | null
    proposed_resolution: Json
    proposed_at: MaybeInstant
    resolved_by: string | null
    resolution: Json
    resolved_at: MaybeInstant
  }
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

const TASK = [
  'partner_id as partnerId',
  'id',
  'kind',
  'subject_type as subjectType',
  'subject_id as subjectId',
  'advice',
  'detail',
  'status',
  'created_at as createdAt',
  'proposed_by as proposedBy',
  'proposed_by_subject as proposedBySubject',
  'proposed_resolution as proposedResolution',
  'resolved_by as resolvedBy',
  'resolution',
  'resolved_at as resolvedAt',
] as const

/** Inserts a task unless one of this kind is open for the subject; returns whether it did. */
export async function insertTask(
  database: Queryable,
  task: Pick<
    OperatorTask,
    'partnerId' | 'id' | 'kind' | 'subjectType' | 'subjectId' | 'advice' | 'detail' | 'createdAt'
  >,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tables(database)
    .insertInto('operator_tasks')
    .values({
      partner_id: task.partnerId,
      id: task.id,
      kind: task.kind,
      subject_type: task.subjectType,
      subject_id: task.subjectId,
      advice: task.advice,
      detail: JSON.stringify(task.detail),
      status: 'open',
      created_at: task.createdAt.toString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
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

/** One task by its id, whatever its status. */
export async function findTask(database: Database<unknown>, id: string): Promise<OperatorTask | undefined> {
  return await tables(database).selectFrom('operator_tasks').select(TASK).where('id', '=', id).executeTakeFirst()
}

/** Adds fields to the detail of a subject's open task of a kind. */
export async function addTaskDetailRow(
  database: Database<unknown>,
  subject: TasksOfSubject,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await updateWaiting(database, subject)
    .set({ detail: sql<Record<string, unknown>>`detail || ${JSON.stringify(detail)}::jsonb` })
    .execute()
}

/** Whether a task of this kind was ever raised for the subject, or is open. */
export async function hasTaskOf(
  database: Database<unknown>,
  subject: TasksOfSubject,
  isOpen = false,
): Promise<boolean> {
  const query = tables(database)
    .selectFrom('operator_tasks')
    .select('id')
    .where('partner_id', '=', subject.partnerId)
    .where('subject_id', '=', subject.subjectId)
    .where('kind', '=', subject.kind)
    .limit(1)
  const row = await (isOpen ? query.where('status', '<>', 'resolved') : query).executeTakeFirst()
  return row !== undefined
}

/** The number of open tasks, by kind; an incident counts once. */
export async function countOpenTasks(
  database: Database<unknown>,
): Promise<readonly { kind: TaskKind; count: number }[]> {
  const rows = await tables(database)
    .selectFrom('operator_tasks as t')
    .select(({ fn }) => ['kind', fn.countAll<bigint>().as('count')])
    .where('status', '<>', 'resolved')
    .where(standsForItsIncident())
    .groupBy('kind')
    .execute()
  return rows.map(({ kind, count }) => ({ kind, count: Number(count) }))
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
