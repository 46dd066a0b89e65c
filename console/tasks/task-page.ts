/** Shows an operator task: what happened, the evidence, what to do, its history, and the forms that resolve it. */
import { html } from 'ghtml'
import { findPartnerById } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import { listAuditLog } from '../../gateway/operators/audit-log.ts'
import { listTasksOfIncident } from '../../gateway/operators/incident.ts'
import type { OperatorTask } from '../../gateway/operators/operator-task.ts'
import { requireTask, TaskResolutionError } from '../../gateway/operators/resolve-task.ts'
import { formatAge } from '../../gateway/platform/clock.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { isPermitted } from '../access/console-role.ts'
import { BANKS_PATH } from '../banks/bank-page.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { auditHistory } from '../markup/audit-history.ts'
import { copyableCode, idMarkup } from '../markup/copy/copy-button.ts'
import { type Facts, factList } from '../markup/data-table.ts'
import { detailMarkup } from '../markup/explained-codes.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { noticeMarkup, type RejectedForm } from '../markup/notice.ts'
import { statusMarkup } from '../markup/status.ts'
import { taskKindText } from '../markup/task-kind.ts'
import { valueText } from '../markup/value-text.ts'
import { consoleText } from '../texts/console-texts.ts'
import { describeResolution, resolutionForms } from './resolution-forms.ts'
import { readTaskSubjects, type TaskSubject } from './task-subject.ts'

export const TASKS_PATH = '/console/tasks'

/** `rejected` says why a resolution was rejected. */
export async function taskPage(
  context: Context,
  request: ConsoleRequest,
  rejected?: RejectedForm,
): Promise<ConsolePage> {
  const task = await requireTaskInPath(context, request)
  const mayAct = isPermitted(request.viewer.session.roles, 'operations.act')
  const audit = await listAuditLog(context, task.partnerId, task.subjectId)
  const together = await listTasksOfIncident(context, task)
  const form = { entered: rejected?.entered, together: together.length }
  const body = html`!${noticeMarkup(rejected)}
!${await factsOf(context, task)}
<h2>${consoleText('task.advice')}</h2>
<p>${task.advice}</p>
!${evidenceOf(task)}
!${togetherOf(together)}
!${mayAct ? resolutionForms(task, request.viewer, form) : ''}
!${auditHistory(audit)}`
  return {
    kind: 'page',
    status: rejected?.status ?? 200,
    title: consoleText('task.title', { kind: taskKindText(task.kind) }),
    body,
  }
}

/** Throws `not-found` for an unknown id. */
export async function requireTaskInPath(
  context: Context,
  { params: { taskId = '' } }: ConsoleRequest,
): Promise<OperatorTask> {
  try {
    if (isId(taskId)) {
      return await requireTask(context, taskId)
    }
  } catch (error) {
    if (!(error instanceof TaskResolutionError)) {
      throw error
    }
  }
  throw apiError('not-found', 'There is no task with this id')
}

async function factsOf(context: Context, task: OperatorTask): Promise<string> {
  const { partnerId, status, createdAt, proposedBy, resolvedBy } = task
  const partner = await findPartnerById(context, partnerId)
  const [subject] = await readTaskSubjects(context, [task])
  const age = formatAge(createdAt, context.clock.real())
  return factList({
    'tasks.state': statusMarkup(status),
    'task.since': html`!${timeMarkup(createdAt)}, <span class="quiet">${age}</span>`,
    'tasks.subject': html`${subject?.noun ?? ''} !${idMarkup(task.subjectId, subject?.path)}`,
    ...(subject === undefined ? [] : subjectFacts(subject)),
    'tasks.partner': html`${partner?.name ?? ''}`,
    'task.proposal':
      status === 'proposed' ? html`${proposedBy ?? ''}: ${describeResolution(task.proposedResolution)}` : undefined,
    'task.resolution':
      status === 'resolved' ? html`${resolvedBy ?? ''}: ${describeResolution(task.resolution)}` : undefined,
    'task.id': copyableCode(task.id, consoleText('task.id')),
  })
}

function subjectFacts({ bic, bankName, ...subject }: TaskSubject): Facts {
  return {
    'payment.creditor': subject.creditorName && html`<strong>${subject.creditorName}</strong>`,
    'payments.amount': subject.amount && html`<strong>${subject.amount}</strong>`,
    'payroll.count': html`${subject.transactions}`,
    'payment.bank': bic && html`<a href="${BANKS_PATH}/${bic}">${bankName} (${bic})</a>`,
    'tasks.company': html`${subject.company}`,
    'payments.dueDate': html`${subject.dueDate}`,
  }
}

/** The orders of an incident, each with its own task. */
function togetherOf(tasks: readonly Pick<OperatorTask, 'id' | 'subjectId'>[]): string {
  const items = tasks.map(({ id, subjectId }) => html`<li>!${idMarkup(subjectId, `${TASKS_PATH}/${id}`)}</li>`)
  return tasks.length < 2
    ? ''
    : html`<h2>${consoleText('task.together', { count: String(tasks.length) })}</h2>
<p>${consoleText('task.togetherExplained')}</p>
<ul>!${items.join('')}</ul>`
}

function evidenceOf({ detail }: OperatorTask): string {
  const facts = Object.entries(detail).map(
    ([name, value]) => [name, detailMarkup(name, value, html`<code>${valueText(value)}</code>`)] as const,
  )
  return facts.length === 0 ? '' : html`<h2>${consoleText('task.evidence')}</h2>!${factList({}, facts)}`
}
