/** Builds the story of a payroll: what happened to it and to its orders. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { requirePayrollCancellation } from '../../gateway/payrolls/cancellations/get-payroll-cancellation.ts'
import {
  type PayrollCancellation,
  payrollCancellationReasonOf,
  payrollCancellationStatusOf,
} from '../../gateway/payrolls/cancellations/payroll-cancellation.ts'
import { isSubmittedIndividually, type Payroll } from '../../gateway/payrolls/payroll.ts'
import { formatCount } from '../markup/format-money.ts'
import { timeMarkup } from '../markup/format-time.ts'
import type { TimelineEntry } from '../markup/timeline.ts'
import { consoleText } from '../texts/console-texts.ts'
import type { TransactionGroup } from './payroll-store.ts'
import {
  type ApprovalOfPayroll,
  listApprovalsOfPayroll,
  listCancellationIdsOfPayroll,
  listOrderStatusChanges,
  listTasksOfPayroll,
  type OrderStatusChange,
  type TaskOfPayroll,
} from './payroll-timeline-store.ts'

/** Of a payroll with an order for each transaction, the statuses are those of today: its orders have a history each. */
export async function readPayrollTimeline(
  context: Context,
  payroll: Payroll,
  groups: readonly TransactionGroup[],
  access: { readonly tasks: boolean },
): Promise<readonly TimelineEntry[]> {
  const { database } = context
  const key = { partnerId: payroll.partnerId, payrollId: payroll.id }
  const isOneOrder = !isSubmittedIndividually(payroll)
  const [changes, approvals, cancellations, tasks] = await Promise.all([
    isOneOrder ? listOrderStatusChanges(database, key) : [],
    listApprovalsOfPayroll(database, key),
    listCancellations(context, payroll),
    access.tasks ? listTasksOfPayroll(database, key) : [],
  ])
  return [
    { at: payroll.createdAt, title: html`${consoleText('payroll.timeline.ordered')}`, details: [] },
    ...(isOneOrder ? changes.map(changeEntry) : groups.flatMap(groupEntries)),
    ...approvals.flatMap(approvalEntries),
    ...cancellations.map(cancellationEntry),
    ...tasks.map(taskEntry),
  ]
}

async function listCancellations(
  context: Context,
  { partnerId, id: payrollId }: Payroll,
): Promise<readonly PayrollCancellation[]> {
  const ids = await listCancellationIdsOfPayroll(context.database, { partnerId, payrollId })
  return await Promise.all(ids.map((id) => requirePayrollCancellation(context, { partnerId, id })))
}

function changeEntry({ at, status, statusReason, statusReasonText, bankStatus }: OrderStatusChange): TimelineEntry {
  return {
    at,
    title: html`${consoleText('timeline.status')} <strong>${status}</strong>`,
    details: [
      ...(statusReason === null ? [] : [html`${statusReason}`]),
      ...(bankStatus === null ? [] : [html`${consoleText('timeline.bankStatus', { status: bankStatus })}`]),
      ...(statusReasonText === null ? [] : [html`${statusReasonText}`]),
    ],
  }
}

function groupEntries({ status, count, since, until }: TransactionGroup): readonly TimelineEntry[] {
  if (since === null || until === null) {
    return []
  }
  const title = html`${consoleText('payroll.timeline.transactions', { count: formatCount(count) })} <strong>${status}</strong>`
  const isMoment = Temporal.Instant.compare(since, until) === 0
  const first = html`${consoleText('payroll.timeline.since')} !${timeMarkup(since)}`
  return [{ at: until, title, details: isMoment ? [] : [first] }]
}

function approvalEntries(approval: ApprovalOfPayroll): readonly TimelineEntry[] {
  const { createdAt, updatedAt, status, userIdMasked, orders, signed } = approval
  const who = userIdMasked === null ? [] : [html`${consoleText('payroll.timeline.user', { user: userIdMasked })}`]
  const started = { at: createdAt, title: html`${consoleText('payroll.timeline.approvalStarted')}`, details: who }
  const share = { signed: formatCount(signed), orders: formatCount(orders) }
  const ended = {
    at: updatedAt,
    title: html`${consoleText('payroll.timeline.approvalEnded')} <strong>${status}</strong>`,
    details: [...who, ...(orders === 1 ? [] : [html`${consoleText('payroll.timeline.signed', share)}`])],
  }
  return status === 'STARTED' ? [started] : [started, ended]
}

function cancellationEntry(cancellation: PayrollCancellation): TimelineEntry {
  const reason = payrollCancellationReasonOf(cancellation)
  const status = payrollCancellationStatusOf(cancellation)
  return {
    at: cancellation.createdAt,
    title: html`${consoleText('payroll.timeline.cancellation')} <strong>${status}</strong>`,
    details: reason === null ? [] : [html`${reason}`],
  }
}

function taskEntry({ id, createdAt, kind, advice, status }: TaskOfPayroll): TimelineEntry {
  return {
    at: createdAt,
    title: html`<a href="/console/tasks/${id}">${consoleText('timeline.task', { kind })}</a> <strong>${status}</strong>`,
    details: [html`${advice}`],
  }
}
