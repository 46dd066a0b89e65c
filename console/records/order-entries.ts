/** What happened to payments and payrolls as entries of a timeline: changes of the status, and operator tasks. */
import { html } from 'ghtml'
import type { TaskOfSubject } from '../../gateway/operators/tasks-of-subject.ts'
import type { StatusChange } from '../../gateway/orders/views/payment-history.ts'
import { bankTextMarkup, reasonMarkup } from '../markup/explained-codes.ts'
import { statusMarkup } from '../markup/status.ts'
import { taskKindText } from '../markup/task-kind.ts'
import type { TimelineEntry } from '../markup/timeline.ts'
import { consoleText } from '../texts/console-texts.ts'

export function statusEntry(
  { at, status, statusReason, statusReasonText, bankStatus }: StatusChange,
  more: readonly string[] = [],
): TimelineEntry {
  const labelled = (label: 'bankStatus' | 'bankText', text: string | null) =>
    text === null ? [] : [html`${consoleText(`timeline.${label}`)} !${bankTextMarkup(text)}`]
  return {
    at,
    title: html`${consoleText('timeline.status')} !${statusMarkup(status)}`,
    details: [
      ...(statusReason === null ? [] : [reasonMarkup(statusReason)]),
      ...labelled('bankStatus', bankStatus),
      ...labelled('bankText', statusReasonText),
      ...more,
    ],
  }
}

export function taskEntry({ id, createdAt, kind, advice, status }: TaskOfSubject): TimelineEntry {
  return {
    at: createdAt,
    title: html`<a href="/console/tasks/${id}">${consoleText('timeline.task', { kind: taskKindText(kind) })}</a> <strong>${status}</strong>`,
    details: [html`${advice}`],
  }
}
