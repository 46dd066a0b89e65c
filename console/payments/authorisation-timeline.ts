/** The approvals and cancellations of a payment in its story, with every authorisation in them. */
import { html } from 'ghtml'
import { listEvidence } from '../../gateway/authorisations/list-evidence.ts'
import type { Context } from '../../gateway/context.ts'
import type { PartnerPayment } from '../../gateway/orders/payment.ts'
import {
  type ApprovalOfPayment,
  type CancellationOfPayment,
  listApprovalsOfPayment,
  listCancellationsOfPayment,
} from '../../gateway/orders/views/payment-history.ts'
import { bankTextMarkup } from '../markup/explained-codes.ts'
import type { TimelineEntry } from '../markup/timeline.ts'
import { CANCELLATIONS_PATH } from '../records/cancellation-page.ts'
import { evidenceEntries } from '../records/evidence-entries.ts'
import { consoleText } from '../texts/console-texts.ts'

/** Of a basket, the page of the approval shows all that was shown. */
const SHOWN_MAX = 3

/** Authorisations that were signed in baskets belong to each payment in them. */
export async function approvalEntries(context: Context, payment: PartnerPayment): Promise<readonly TimelineEntry[]> {
  const approvals = await listApprovalsOfPayment(context.database, payment)
  const basketIds = approvals.flatMap(({ basketId }) => (basketId === null ? [] : [basketId]))
  const { partnerId, id } = payment
  const evidence = await listEvidence(context, { partnerId, targetIds: [id, ...basketIds] })
  return approvals.flatMap((approval) => [
    startOf(approval),
    ...evidenceEntries(
      evidence.filter(({ kind, subjectId }) => kind === 'approval' && subjectId === approval.id),
      { shownMax: SHOWN_MAX },
    ),
    ...endOf(approval),
  ])
}

function startOf({ id, createdAt, userIdMasked }: ApprovalOfPayment): TimelineEntry {
  return {
    at: createdAt,
    title: html`<a href="/console/approvals/${id}">${consoleText('timeline.approvalStarted')}</a>`,
    details: userIdMasked === null ? [] : [html`${consoleText('evidence.user', { user: userIdMasked })}`],
  }
}

function endOf({ updatedAt, status, result }: ApprovalOfPayment): readonly TimelineEntry[] {
  const title = html`${consoleText('timeline.approvalEnded')} <strong>${result}</strong>`
  return status === 'STARTED' ? [] : [{ at: updatedAt, title, details: [] }]
}

export async function cancellationEntries(
  context: Context,
  payment: PartnerPayment,
): Promise<readonly TimelineEntry[]> {
  const cancellations = await listCancellationsOfPayment(context.database, payment)
  const evidence = await Promise.all(
    cancellations.map(({ id }) =>
      listEvidence(context, { partnerId: payment.partnerId, kind: 'cancellation', subjectId: id }),
    ),
  )
  return cancellations.flatMap((cancellation, n) => [
    requestOf(cancellation),
    ...evidenceEntries(evidence[n] ?? [], { shownMax: SHOWN_MAX }),
    ...resultOf(cancellation),
  ])
}

function requestOf({ id, createdAt, userIdMasked, ipAddress, userAgent }: CancellationOfPayment): TimelineEntry {
  const client = [ipAddress === null ? '' : consoleText('evidence.from', { ipAddress }), userAgent ?? '']
  return {
    at: createdAt,
    title: html`<a href="${CANCELLATIONS_PATH}/${id}">${consoleText('timeline.cancellation')}</a>`,
    details: [
      userIdMasked === null ? '' : html`${consoleText('evidence.user', { user: userIdMasked })}`,
      html`${client.filter((text) => text !== '').join(' · ')}`,
    ].filter((detail) => detail !== ''),
  }
}

function resultOf({ updatedAt, status, reason }: CancellationOfPayment): readonly TimelineEntry[] {
  const title = html`${consoleText('timeline.cancellationNow')} <strong>${status}</strong>`
  return status === 'REQUESTED'
    ? []
    : [{ at: updatedAt, title, details: reason === null ? [] : [bankTextMarkup(reason)] }]
}
