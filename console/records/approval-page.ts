/** Shows an approval: its payments with their results, the link of its user, and every authorisation in it. */
import { html } from 'ghtml'
import { listEvidence } from '../../gateway/authorisations/list-evidence.ts'
import { consentOf } from '../../gateway/consents/consent-lookup.ts'
import type { Context } from '../../gateway/context.ts'
import { findPaymentsOf } from '../../gateway/orders/find-orders.ts'
import { requireApproval } from '../../gateway/orders/sign/get-approval.ts'
import { APPROVAL_ROWS } from '../../gateway/orders/views/order-rows.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { copyableCode, idMarkup } from '../markup/copy/copy-button.ts'
import { dataTable, factList, leadColumn, numberColumn } from '../markup/data-table.ts'
import { formatMoneyForReaders } from '../markup/format-money.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { evidenceSection } from './evidence-entries.ts'
import { scaLinkMarkup } from './sca-link-markup.ts'

export async function approvalPage(context: Context, { viewer, params }: ConsoleRequest): Promise<ConsolePage> {
  const { partnerId, id, partnerName } = await requireVisible(context, viewer, APPROVAL_ROWS, params['approvalId'])
  const approval = await requireApproval(context, partnerId, id, 'payments')
  const subject = { partnerId, kind: 'approval', subjectId: id } as const
  const [consent, payments, link, evidence] = await Promise.all([
    consentOf(context, approval),
    paymentsOf(context, approval),
    approval.status === 'STARTED' ? scaLinkMarkup(context, viewer, subject) : '',
    listEvidence(context, subject),
  ])
  const bank = consent === undefined ? undefined : await context.banks.find(consent.bic)
  const facts = factList({
    'records.columns.status': statusMarkup(approval.status),
    'approval.user': html`<a href="/console/consents/${approval.consentId}">${consent?.userIdMasked ?? approval.consentId}</a>`,
    'records.columns.company': html`${consent?.organisationNumber ?? ''}`,
    'records.columns.bank': html`${consent === undefined ? '' : `${bank?.name ?? consent.bic} (${consent.bic})`}`,
    'records.columns.created': timeMarkup(approval.createdAt),
    'records.columns.partner': html`${partnerName}`,
    'records.columns.id': copyableCode(id, consoleText('records.columns.id')),
  })
  const body = html`!${facts}
!${link}
<h2>${consoleText('payments.title')}</h2>
!${payments}
!${evidenceSection(evidence)}`
  return { kind: 'page', title: consoleText('approval.title'), body }
}

async function paymentsOf(
  context: Context,
  { partnerId, payments }: Awaited<ReturnType<typeof requireApproval>>,
): Promise<string> {
  const found = await findPaymentsOf(
    context,
    partnerId,
    payments.map(({ paymentId }) => paymentId),
  )
  return dataTable(
    found.map((payment, n) => ({ ...payment, ...payments[n] })),
    {
      'payments.endToEndId': ({ id, endToEndId }) => html`<a href="/console/payments/${id}">${endToEndId}</a>`,
      'payments.creditor': ({ ordered }) => html`${ordered.to.contactInformation.name}`,
      'payments.amount': { ...numberColumn(({ amount }) => html`${formatMoneyForReaders(amount)}`), isLead: true },
      'approval.result': ({ result }) => statusMarkup(result ?? ''),
      'payments.status': leadColumn(({ status }) => statusMarkup(status)),
      // A payment that is signed alone has none.
      'approval.basket': ({ basketId }) => (basketId ? idMarkup(basketId) : ''),
    },
    consoleText('payments.noMatch'),
  )
}
