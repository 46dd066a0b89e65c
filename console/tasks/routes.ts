/** Operator tasks: the list with filters, each task, and its resolution. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { listTasksOfIncident } from '../../gateway/operators/incident.ts'
import type { FoundTask } from '../../gateway/operators/operator-task.ts'
import { searchTasks } from '../../gateway/operators/search-tasks.ts'
import { formatAge } from '../../gateway/platform/time-format.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest, ConsoleRoute } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { type FilterState, filterForm } from '../lists/filter-form.ts'
import { formatPosition, LIST_ROWS, nextPageLink, pageOf } from '../lists/next-page.ts'
import { partnerFields } from '../lists/partner-field.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import { type Column, clampedText, dataTable } from '../markup/data-table.ts'
import { wallTimeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { resolveTask } from './resolve-task.ts'
import { parseTaskFilter, TASK_KINDS, TASK_STATUSES } from './task-filter.ts'
import { TASKS_PATH, taskPage } from './task-page.ts'
import { readTaskSubjects, type TaskSubject } from './task-subject.ts'

export function taskRoutes(context: Context): readonly ConsoleRoute[] {
  const read = { method: 'GET', permission: 'operations.read' } as const
  return [
    { ...read, path: TASKS_PATH, handle: (request) => listPage(context, request) },
    { ...read, path: `${TASKS_PATH}/:taskId`, handle: (request) => taskPage(context, request) },
    {
      method: 'POST',
      path: `${TASKS_PATH}/:taskId/resolve`,
      permission: 'operations.act',
      handle: (request) => resolveTask(context, request),
    },
  ]
}

const COLUMNS: readonly Column[] = [
  { label: consoleText('tasks.kind'), isLead: true },
  { label: consoleText('tasks.state'), isLead: true },
  { label: consoleText('tasks.age') },
  { label: consoleText('payments.amount'), kind: 'number', isLead: true },
  { label: consoleText('tasks.receiver') },
  { label: consoleText('payment.bank') },
  { label: consoleText('tasks.subject') },
  { label: consoleText('tasks.partner') },
]

async function listPage(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { query } = request
  const { filter, state } = parseTaskFilter(request)
  const isValid = state.errors.size === 0
  const { rows, last } = pageOf(isValid ? await searchTasks(context, filter, LIST_ROWS + 1) : [])
  const now = context.clock.real()
  const together = await Promise.all(rows.map((task) => listTasksOfIncident(context, task)))
  const subjects = await readTaskSubjects(context, rows)
  const body = html`<p>${consoleText('tasks.explain')}</p>
!${await filtersOf(context, request.viewer, state)}
!${dataTable(
    COLUMNS,
    rows.map((task, at) => cellsOf(task, { together: together[at]?.length ?? 0, now, subject: subjects[at] })),
    emptyTextOf(query, isValid),
  )}
!${nextPageLink(TASKS_PATH, query, last && formatPosition(last))}`
  return { kind: 'page', status: isValid ? 200 : 422, title: consoleText('tasks.title'), body }
}

async function filtersOf(context: Context, viewer: Viewer, state: FilterState): Promise<string> {
  const choices = (values: readonly string[], first: string) => [
    { value: '', label: first },
    ...values.map((value) => ({ value, label: value })),
  ]
  return filterForm(TASKS_PATH, state, [
    { name: 'kind', label: consoleText('tasks.kind'), choices: choices(TASK_KINDS, consoleText('filters.any')) },
    {
      name: 'status',
      label: consoleText('tasks.state'),
      choices: choices(TASK_STATUSES, consoleText('tasks.waiting')),
    },
    ...(await partnerFields(context, viewer)),
  ])
}

function emptyTextOf(query: URLSearchParams, isValid: boolean): string {
  if (!isValid) {
    return consoleText('filters.correct')
  }
  return [...query.values()].some((value) => value !== '') ? consoleText('tasks.noMatch') : consoleText('tasks.none')
}

/** `together`: the number of tasks for which it stands. */
function cellsOf(
  task: FoundTask,
  {
    together,
    now,
    subject,
  }: { readonly together: number; readonly now: Temporal.Instant; readonly subject: TaskSubject | undefined },
): readonly string[] {
  const { id, kind, status, createdAt, subjectId, partnerName, proposedBy } = task
  return [
    html`<a href="${TASKS_PATH}/${id}">!${breakableText(kind)}</a>`,
    `${statusMarkup(status)}${status === 'proposed' ? clampedText(consoleText('tasks.by', { name: proposedBy ?? '' })) : ''}`,
    wallTimeMarkup(createdAt, formatAge(createdAt, now).replaceAll(' ', '\u00a0')),
    html`${subject?.amount || transactionsOf(subject)}`,
    clampedText(subject?.creditorName || (subject?.company ?? '')),
    clampedText(subject?.bankName ?? ''),
    html`${subject?.noun ?? ''} !${idMarkup(subjectId)}${together > 1 ? ` ${consoleText('tasks.andMore', { count: String(together - 1) })}` : ''}`,
    html`${partnerName ?? ''}`,
  ]
}

function transactionsOf(subject: TaskSubject | undefined): string {
  return subject === undefined || subject.transactions === ''
    ? ''
    : consoleText('tasks.transactions', { count: subject.transactions })
}
