/** Lists operator tasks with filters. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { listTasksOfIncident } from '../../gateway/operators/incident.ts'
import {
  type FoundTask,
  type TaskFilter,
  type TaskKind,
  type TaskStatus,
  taskAdvice,
} from '../../gateway/operators/operator-task.ts'
import { searchTasks } from '../../gateway/operators/search-tasks.ts'
import type { ListPosition } from '../../gateway/partners/partner-rows.ts'
import { formatAge } from '../../gateway/platform/clock.ts'
import { anyOf } from '../lists/filter-form.ts'
import type { ConsoleList } from '../lists/list-page.ts'
import { pageOf } from '../lists/next-page.ts'
import { chosenPartner } from '../lists/partner-field.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import { type Columns, clampedText, leadColumn } from '../markup/data-table.ts'
import { wallTimeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { taskKindText } from '../markup/task-kind.ts'
import { consoleText } from '../texts/console-texts.ts'
import { TASKS_PATH } from './task-page.ts'
import { readTaskSubjects, type TaskSubject } from './task-subject.ts'

const KINDS = Object.keys(taskAdvice) as readonly TaskKind[]
const STATUSES: readonly TaskStatus[] = ['open', 'proposed', 'resolved']

/** `together`: the number of tasks for which it stands. */
type ListedTask = FoundTask & { readonly subject: TaskSubject | undefined; readonly together: number }

export function taskList(context: Context): ConsoleList<ListedTask, TaskFilter, ListPosition> {
  const kinds = KINDS.map((value) => ({ value, label: taskKindText(value) }))
  return {
    path: TASKS_PATH,
    title: consoleText('tasks.title'),
    about: html`<p>${consoleText('tasks.explain')}</p>`,
    fields: [
      { name: 'kind', label: consoleText('tasks.kind'), choices: [...anyOf([]), ...kinds] },
      { name: 'status', label: consoleText('tasks.state'), choices: anyOf(STATUSES, consoleText('tasks.waiting')) },
    ],
    filterOf: (filters, viewer) => ({
      kind: filters.choice('kind', KINDS, consoleText('filters.noKind')),
      status: filters.choice('status', STATUSES, consoleText('filters.noStatus')),
      partnerId: chosenPartner(filters, viewer),
      after: filters.position(),
    }),
    read: async (filter, limit) => {
      const { rows: tasks, last } = pageOf(await searchTasks(context, filter, limit + 1), limit)
      const together = await Promise.all(tasks.map((task) => listTasksOfIncident(context, task)))
      const subjects = await readTaskSubjects(context, tasks)
      const rows = tasks.map((task, n) => ({ ...task, subject: subjects[n], together: together[n]?.length ?? 0 }))
      return { rows, next: last }
    },
    columns: columnsOf(context),
    none: consoleText('tasks.none'),
    noMatch: consoleText('tasks.noMatch'),
  }
}

function columnsOf({ clock }: Context): Columns<ListedTask> {
  return {
    'tasks.kind': leadColumn(
      ({ id, kind }) => html`<a href="${TASKS_PATH}/${id}"><span title="${kind}">${taskKindText(kind)}</span></a>`,
    ),
    'tasks.state': leadColumn(
      ({ status, proposedBy }) =>
        `${statusMarkup(status)}${status === 'proposed' ? clampedText(consoleText('tasks.by', { name: proposedBy ?? '' })) : ''}`,
    ),
    'tasks.age': ({ createdAt }) =>
      wallTimeMarkup(createdAt, formatAge(createdAt, clock.real()).replaceAll(' ', '\u00a0')),
    'payments.amount': {
      kind: 'number',
      isLead: true,
      cell: ({ subject }) => html`${subject?.amount || transactionsOf(subject)}`,
    },
    'tasks.receiver': ({ subject }) => clampedText(subject?.creditorName || (subject?.company ?? '')),
    'payment.bank': ({ subject }) => clampedText(subject?.bankName ?? ''),
    'tasks.subject': ({ subject, subjectId, together }) =>
      html`${subject?.noun ?? ''} !${idMarkup(subjectId)}${together > 1 ? ` ${consoleText('tasks.andMore', { count: String(together - 1) })}` : ''}`,
    'tasks.partner': ({ partnerName }) => html`${partnerName ?? ''}`,
  }
}

function transactionsOf(subject: TaskSubject | undefined): string {
  return subject === undefined || subject.transactions === ''
    ? ''
    : consoleText('tasks.transactions', { count: subject.transactions })
}
