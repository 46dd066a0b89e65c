/** Raises an operator task, and closes it when its cause resolves itself. */

import { newId } from '../platform/ids.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { type TaskKind, taskAdvice } from './operator-task.ts'
import { addTaskDetailRow, closeTasks, hasTaskOf, insertTask } from './task-store.ts'
import { writeAuditEntry } from './write-audit-entry.ts'

/** The subject of a task. `detail` is shown in the console: no names, accounts or amounts of payrolls. */
export type TaskSubject = {
  readonly partnerId: string
  readonly kind: TaskKind
  /** An `order` is one that the database does not hold; a `row` is one that a sweep fails to process. */
  readonly subjectType: 'payment' | 'payroll' | 'order' | 'onboarding' | 'deal' | 'receipt' | 'row'
  readonly subjectId: string
  readonly detail: Readonly<Record<string, unknown>>
}

/**
 * Raises a task unless the same one is open already; inside a transaction when that is passed instead of the database.
 */
export async function raiseTask({ database, clock, log }: ProgramContext, subject: TaskSubject): Promise<void> {
  const advice = taskAdvice[subject.kind]
  const raised = await insertTask(database, { ...subject, id: newId(), advice, createdAt: clock.real() })
  if (raised) {
    log.warn({ kind: subject.kind, subjectId: subject.subjectId }, 'an operator task was raised')
  }
}

/** Adds new facts to the detail of an open task. */
export async function addTaskDetail(
  { database }: ProgramContext,
  { detail, ...subject }: Pick<TaskSubject, 'partnerId' | 'kind' | 'subjectId' | 'detail'>,
): Promise<void> {
  await addTaskDetailRow(database, subject, detail)
}

/** Whether such a task was ever raised, resolved or not. */
export async function wasTaskRaised(
  { database }: ProgramContext,
  subject: Pick<TaskSubject, 'partnerId' | 'kind' | 'subjectId'>,
): Promise<boolean> {
  return await hasTaskOf(database, subject)
}

/** Whether such a task waits for an operator. */
export async function isTaskOpen(
  { database }: ProgramContext,
  subject: Pick<TaskSubject, 'partnerId' | 'kind' | 'subjectId'>,
): Promise<boolean> {
  return await hasTaskOf(database, subject, true)
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
