/** Shows a cancellation of a payment: who requested it, the link of a user who must sign it, and its authorisations. */
import { html } from 'ghtml'
import { listEvidence } from '../../gateway/authorisations/list-evidence.ts'
import { consentOf } from '../../gateway/consents/consent-lookup.ts'
import type { Context } from '../../gateway/context.ts'
import { listAuditLog } from '../../gateway/operators/audit-log.ts'
import {
  type Cancellation,
  reasonOfCancellation,
  statusOfCancellation,
} from '../../gateway/orders/cancel/cancellation.ts'
import { requireCancellation } from '../../gateway/orders/cancel/get-cancellation.ts'
import { findPaymentOf } from '../../gateway/orders/find-orders.ts'
import { CANCELLATION_ROWS } from '../../gateway/orders/views/order-rows.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { auditHistory } from '../markup/audit-history.ts'
import { copyableCode, idMarkup } from '../markup/copy/copy-button.ts'
import { factList } from '../markup/data-table.ts'
import { bankTextMarkup } from '../markup/explained-codes.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { evidenceSection } from './evidence-entries.ts'
import { scaLinkMarkup } from './sca-link-markup.ts'

export const CANCELLATIONS_PATH = '/console/cancellations'

export async function cancellationPage(context: Context, { viewer, params }: ConsoleRequest): Promise<ConsolePage> {
  const { partnerId, id, partnerName } = await requireVisible(
    context,
    viewer,
    CANCELLATION_ROWS,
    params['cancellationId'],
  )
  const cancellation = await requireCancellation(context, { partnerId, kind: 'payment', id })
  const subject = { partnerId, kind: 'cancellation', subjectId: id } as const
  const [facts, link, evidence, audit] = await Promise.all([
    factsOf(context, cancellation, partnerName),
    statusOfCancellation(cancellation) === 'AUTHORIZATION_REQUIRED' ? scaLinkMarkup(context, viewer, subject) : '',
    listEvidence(context, subject),
    viewer.session.partnerId === null ? listAuditLog(context, partnerId, cancellation.instructionId) : [],
  ])
  const ofThis = audit.filter(({ detail }) => detail['cancellationId'] === id)
  const body = html`!${facts}
!${link}
!${evidenceSection(evidence)}
!${auditHistory(ofThis)}`
  return { kind: 'page', title: consoleText('cancellation.title'), body }
}

async function factsOf(context: Context, cancellation: Cancellation, partnerName: string): Promise<string> {
  const { partnerId, instructionId: paymentId, consentId, createdAt } = cancellation
  const status = statusOfCancellation(cancellation)
  const [payment, consent] = await Promise.all([
    findPaymentOf(context, partnerId, paymentId),
    consentOf(context, { partnerId, consentId }),
  ])
  const { bic } = payment
  const bank = await context.banks.find(bic)
  const requestIds = cancellation.parts.map(({ bankRequestId }) => idMarkup(bankRequestId))
  return factList({
    'records.columns.status': statusMarkup(status),
    'records.columns.reason': bankTextMarkup(reasonOfCancellation(cancellation)),
    'cancellation.unanswered': status === 'REQUESTED' ? consoleText('cancellation.repeated') : undefined,
    'records.columns.payment': html`<a href="/console/payments/${paymentId}">${payment.endToEndId}</a> !${statusMarkup(payment.status)}`,
    'cancellation.user': html`<a href="/console/consents/${consentId}">${consent?.userIdMasked ?? consentId}</a>`,
    'records.columns.company': html`${payment.organisationNumber}`,
    'records.columns.bank': html`${bank?.name ?? bic} (${bic})`,
    'payment.requestId': requestIds.join(' '),
    'records.columns.created': timeMarkup(createdAt),
    'records.columns.partner': html`${partnerName}`,
    'records.columns.id': copyableCode(cancellation.id, consoleText('records.columns.id')),
  })
}
