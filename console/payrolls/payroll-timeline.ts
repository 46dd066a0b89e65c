/** Builds the story of a payroll: what happened to it and to its orders. */
import { html } from 'ghtml'
import { type AuthorisationEvidence, listEvidence } from '../../gateway/authorisations/list-evidence.ts'
import type { Context } from '../../gateway/context.ts'
import {
  type Cancellation,
  reasonOfCancellation,
  statusOfCancellation,
} from '../../gateway/orders/cancel/cancellation.ts'
import { requireCancellation } from '../../gateway/orders/cancel/get-cancellation.ts'
import { isSubmittedIndividually, type Payroll } from '../../gateway/orders/payroll.ts'
import type { PayrollKey } from '../../gateway/orders/payroll-order.ts'
import {
  type ApprovalOfPayroll,
  listApprovalsOfPayroll,
  listCancellationIdsOfPayroll,
  listStatusChangesOfPayroll,
  listTasksOfPayroll,
} from '../../gateway/orders/views/payment-history.ts'
import type { TransactionGroup } from '../../gateway/orders/views/payroll-details.ts'
import { bankTextMarkup } from '../markup/explained-codes.ts'
import { formatCount } from '../markup/format-money.ts'
import { timeMarkup } from '../markup/format-time.ts'
import type { TimelineEntry } from '../markup/timeline.ts'
import { evidenceEntries } from '../records/evidence-entries.ts'
import { statusEntry, taskEntry } from '../records/order-entries.ts'
import { consoleText } from '../texts/console-texts.ts'

/** Of an approval that signs each order by itself: the first ones show who signed from where. */
const AUTHORISATIONS_SHOWN_MAX = 5

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
  const [changes, approvals, cancellationIds, tasks] = await Promise.all([
    isOneOrder ? listStatusChangesOfPayroll(database, key) : [],
    readApprovals(context, key),
    listCancellationIdsOfPayroll(database, key),
    access.tasks ? listTasksOfPayroll(database, key) : [],
  ])
  const { partnerId } = payroll
  const cancellations = await Promise.all(
    cancellationIds.map((id) => requireCancellation(context, { partnerId, kind: 'payroll', id })),
  )
  return [
    { at: payroll.createdAt, title: html`${consoleText('payroll.timeline.ordered')}`, details: [] },
    ...(isOneOrder ? changes.map((change) => statusEntry(change)) : groups.flatMap(groupEntries)),
    ...approvals.flat(),
    ...cancellations.map(cancellationEntry),
    ...tasks.map(taskEntry),
  ]
}

async function readApprovals(context: Context, key: PayrollKey): Promise<readonly (readonly TimelineEntry[])[]> {
  const approvals = await listApprovalsOfPayroll(context.database, key)
  return await Promise.all(
    approvals.map(async (approval) => {
      const subject = { partnerId: key.partnerId, kind: 'approval', subjectId: approval.id } as const
      return approvalEntries(approval, await listEvidence(context, subject))
    }),
  )
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

/** What the user was shown is left out: it names salaries. */
function approvalEntries(
  approval: ApprovalOfPayroll,
  evidence: readonly AuthorisationEvidence[],
): readonly TimelineEntry[] {
  const { createdAt, updatedAt, status, userIdMasked, orders, signed } = approval
  const who = userIdMasked === null ? [] : [html`${consoleText('payroll.timeline.user', { user: userIdMasked })}`]
  const started = { at: createdAt, title: html`${consoleText('payroll.timeline.approvalStarted')}`, details: who }
  const shown = evidence.slice(0, AUTHORISATIONS_SHOWN_MAX).map((authorisation) => ({ ...authorisation, shown: [] }))
  const more = evidence.length - shown.length
  const share = { signed: formatCount(signed), orders: formatCount(orders) }
  const ended = {
    at: updatedAt,
    title: html`${consoleText('payroll.timeline.approvalEnded')} <strong>${status}</strong>`,
    details: [
      ...who,
      ...(orders === 1 ? [] : [html`${consoleText('payroll.timeline.signed', share)}`]),
      ...(more === 0 ? [] : [html`${consoleText('payroll.timeline.authorisations', { count: formatCount(more) })}`]),
    ],
  }
  return [started, ...evidenceEntries(shown, { shownMax: 0 }), ...(status === 'STARTED' ? [] : [ended])]
}

function cancellationEntry(cancellation: Cancellation): TimelineEntry {
  const reason = reasonOfCancellation(cancellation)
  const status = statusOfCancellation(cancellation)
  return {
    at: cancellation.createdAt,
    title: html`${consoleText('payroll.timeline.cancellation')} <strong>${status}</strong>`,
    details: reason === null ? [] : [bankTextMarkup(reason)],
  }
}
