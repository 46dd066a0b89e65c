/** Builds the story of a payment: what happened to it. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import type { TimelineEntry } from '../markup/timeline.ts'
import { consoleText } from '../texts/console-texts.ts'
import {
  type ApprovalOfPayment,
  type CancellationOfPayment,
  type DeliveryOfPayment,
  listApprovals,
  listCancellations,
  listDeliveries,
  listStatusChanges,
  listTasks,
  type PaymentKey,
  type StatusChange,
  type TaskOfPayment,
} from './payment-timeline-store.ts'

/** What else the user may see: the tasks of operators, and the pages of deliveries. */
export type TimelineAccess = { readonly tasks: boolean; readonly deliveries: boolean }

/** Everything that happened to a payment. */
export async function readTimeline(
  { database }: Pick<Context, 'database'>,
  payment: PaymentKey & { readonly createdAt: Temporal.Instant },
  access: TimelineAccess,
): Promise<readonly TimelineEntry[]> {
  const [changes, approvals, cancellations, deliveries, tasks] = await Promise.all([
    listStatusChanges(database, payment),
    listApprovals(database, payment),
    listCancellations(database, payment),
    listDeliveries(database, payment),
    access.tasks ? listTasks(database, payment) : [],
  ])
  return [
    { at: payment.createdAt, title: consoleText('timeline.ordered'), details: [] },
    ...changes.map(statusEntry),
    ...approvals.flatMap(approvalEntries),
    ...cancellations.map(cancellationEntry),
    ...deliveries.map((delivery) => deliveryEntry(delivery, access)),
    ...tasks.map(taskEntry),
  ]
}

function statusEntry({ at, status, statusReason, statusReasonText, bankStatus }: StatusChange): TimelineEntry {
  return {
    at,
    title: html`${consoleText('timeline.status')} <strong>${status}</strong>`,
    details: [
      ...(statusReason === null ? [] : [html`${statusReason}`]),
      ...(bankStatus === null ? [] : [html`${consoleText('timeline.bankStatus', { status: bankStatus })}`]),
      ...(statusReasonText === null ? [] : [html`${consoleText('timeline.bankText', { text: statusReasonText })}`]),
    ],
  }
}

function approvalEntries({ createdAt, updatedAt, status, result }: ApprovalOfPayment): readonly TimelineEntry[] {
  const started = { at: createdAt, title: html`${consoleText('timeline.approvalStarted')}`, details: [] }
  const ended = {
    at: updatedAt,
    title: html`${consoleText('timeline.approvalEnded')} <strong>${result}</strong>`,
    details: [],
  }
  return status === 'STARTED' ? [started] : [started, ended]
}

function cancellationEntry({ createdAt, status, reason }: CancellationOfPayment): TimelineEntry {
  return {
    at: createdAt,
    title: html`${consoleText('timeline.cancellation')} <strong>${status}</strong>`,
    details: reason === null ? [] : [html`${reason}`],
  }
}

function deliveryEntry(delivery: DeliveryOfPayment, { deliveries }: TimelineAccess): TimelineEntry {
  const { id, subscriptionId, createdAt, eventType, status, attemptsMade, targetUrl } = delivery
  const text = consoleText('timeline.delivery', { eventType })
  const path = `/console/webhooks/${subscriptionId}/deliveries/${id}`
  return {
    at: createdAt,
    title: html`!${deliveries ? html`<a href="${path}">${text}</a>` : html`${text}`} <strong>${status}</strong>`,
    details: [html`${targetUrl}`, html`${consoleText('timeline.attempts', { count: attemptsMade })}`],
  }
}

function taskEntry({ id, createdAt, kind, advice, status }: TaskOfPayment): TimelineEntry {
  return {
    at: createdAt,
    title: html`<a href="/console/tasks/${id}">${consoleText('timeline.task', { kind })}</a> <strong>${status}</strong>`,
    details: [html`${advice}`],
  }
}
