/** Operator tasks: the list with filters, each task, and its resolution. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { listTasksOfIncident } from '../../gateway/operators/incident.ts'
import type { FoundTask } from '../../gateway/operators/operator-task.ts'
import { searchTasks } from '../../gateway/operators/search-tasks.ts'
import { formatAge } from '../../gateway/platform/format-age.ts'
import type { ConsoleRequest, ConsoleRoute } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import type { Viewer } from '../layout/viewer.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import { dataTable } from '../markup/data-table.ts'
import { type FilterState, filterForm } from '../markup/filter-form.ts'
import { formatPosition } from '../markup/list-position.ts'
import { LIST_ROWS, nextPageLink, pageOf } from '../markup/next-page.ts'
import { partnerFields } from '../markup/partner-field.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { resolveTask } from './resolve-task.ts'
import { parseTaskFilter, TASK_KINDS, TASK_STATUSES } from './task-filter.ts'
import { TASKS_PATH, taskPage } from './task-page.ts'

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

async function listPage(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { query } = request
  const { filter, state } = parseTaskFilter(request)
  const isValid = state.errors.size === 0
  const { rows, last } = pageOf(isValid ? await searchTasks(context, filter, LIST_ROWS + 1) : [])
  const columns = (['kind', 'state', 'age', 'subject', 'partner'] as const).map((name) => ({
    label: consoleText(`tasks.${name}`),
  }))
  const now = context.clock.real()
  const together = await Promise.all(rows.map((task) => listTasksOfIncident(context, task)))
  const body = html`<p>${consoleText('tasks.explain')}</p>
!${await filtersOf(context, request.viewer, state)}
!${dataTable(
    columns,
    rows.map((task, at) => cellsOf(task, together[at]?.length ?? 0, now)),
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
function cellsOf(task: FoundTask, together: number, now: Temporal.Instant): readonly string[] {
  const { id, kind, status, createdAt, subjectType, subjectId, partnerName, proposedBy } = task
  return [
    html`<a href="${TASKS_PATH}/${id}">${kind}</a>`,
    `${statusMarkup(status)}${status === 'proposed' ? html` <span class="quiet">${consoleText('tasks.by', { name: proposedBy ?? '' })}</span>` : ''}`,
    html`<time datetime="${createdAt.toString({ smallestUnit: 'millisecond' })}">${formatAge(createdAt, now)}</time>`,
    html`${subjectType} !${idMarkup(subjectId)}${together > 1 ? ` ${consoleText('tasks.andMore', { count: String(together - 1) })}` : ''}`,
    html`${partnerName ?? ''}`,
  ]
}
