/** Renders what lives on the page of a payroll: its state, its progress, what stops it, and what happened to it. */

import { html } from 'ghtml'
import { isInForce } from '../../gateway/consents/consent.ts'
import { activeConsentOf } from '../../gateway/consents/consent-lookup.ts'
import type { Context } from '../../gateway/context.ts'
import { formatAccountNumber } from '../../gateway/countries/account-number.ts'
import { findPayrollOf } from '../../gateway/orders/find-orders.ts'
import { readPayrollTerms } from '../../gateway/orders/parse/stored-order.ts'
import type { Payroll } from '../../gateway/orders/payroll.ts'
import {
  findFileOfPayroll,
  findPayrollObstacle,
  groupTransactions,
} from '../../gateway/orders/views/payroll-details.ts'
import type { PartnerRow } from '../../gateway/partners/partner-rows.ts'
import { copyableCode, idMarkup } from '../markup/copy/copy-button.ts'
import { type Facts, factList } from '../markup/data-table.ts'
import { formatCount, formatMoneyForReaders } from '../markup/format-money.ts'
import { formatDay, timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { timelineMarkup } from '../markup/timeline.ts'
import { consoleText } from '../texts/console-texts.ts'
import { obstaclesMarkup } from './payroll-obstacles.ts'
import { progressMarkup, progressOf, statusCounts } from './payroll-progress.ts'
import { readPayrollTimeline } from './payroll-timeline.ts'

export const PAYROLLS_PATH = '/console/payrolls'

/** The same for all users of the partner, and for all operators, who see tasks, and no account and amount. */
export async function renderPayrollSummary(
  context: Context,
  { partnerId, id: payrollId, partnerName }: PartnerRow,
  { isOperator }: { readonly isOperator: boolean },
): Promise<string> {
  const key = { partnerId, payrollId }
  const payroll = await findPayrollOf(context, partnerId, payrollId)
  const [groups, obstacle, consent] = await Promise.all([
    groupTransactions(context.database, key),
    findPayrollObstacle(context.database, key),
    activeConsentOf(context, payroll),
  ])
  const progress = progressOf(groups)
  const hasConsent = consent !== undefined && isInForce(consent, context.clock.now())
  const terms = isOperator ? { 'payments.partner': html`${partnerName}` } : await termsOf(context, payroll)
  const timeline = await readPayrollTimeline(context, payroll, groups, { tasks: isOperator })
  return html`!${stateOf(payroll)}
!${progressMarkup(payroll, progress)}
!${obstaclesMarkup({ payroll, obstacle, progress, hasConsent })}
<h2>${consoleText('payroll.transactionsByStatus')}</h2>
!${statusCounts(`${PAYROLLS_PATH}/${payrollId}`, groups)}
<h2>${consoleText('payroll.order')}</h2>
!${factList({ ...terms, ...(await orderOf(context, payroll)) })}
<h2>${consoleText('payment.timeline')}</h2>
!${timelineMarkup(timeline)}`
}

function stateOf({ status, state, changedAt, submitAt }: Payroll): string {
  return factList({
    'payments.status': statusMarkup(status),
    'payroll.state': html`${consoleText(`payroll.states.${state}`)}`,
    'payroll.changed': timeMarkup(changedAt),
    'payroll.nextAttempt': submitAt && timeMarkup(submitAt),
  })
}

async function termsOf(context: Context, payroll: Payroll): Promise<Facts> {
  const { from, total } = await readPayrollTerms(context, payroll)
  return {
    'payroll.total': html`${formatMoneyForReaders(total)}`,
    'payment.debtor': html`${from.name}, ${formatAccountNumber(payroll.countryCode, payroll.debtorBban)}`,
  }
}

async function orderOf(context: Context, payroll: Payroll): Promise<Facts> {
  const { partnerId, id: payrollId, bic, bulkId, submissionMode } = payroll
  const [bank, file] = await Promise.all([
    context.banks.find(bic),
    submissionMode === 'file' ? findFileOfPayroll(context.database, { partnerId, payrollId }) : undefined,
  ])
  return {
    'payroll.count': html`${formatCount(payroll.transactionCount)}`,
    'payments.dueDate': html`${formatDay(payroll.dueDate)}`,
    'payroll.mode': html`${consoleText(`payroll.modes.${submissionMode}`)}`,
    'payroll.file': file && html`${consoleText(`payroll.files.${file.state}`)}, <code>${file.messageId}</code>`,
    'payroll.reportedAt': file?.reportedAt == null ? undefined : timeMarkup(file.reportedAt),
    'payment.company': html`${payroll.organisationNumber}`,
    'payment.bank': html`${bank?.name ?? bic} (${bic})`,
    'payroll.bulk': bulkId && idMarkup(bulkId),
    'payroll.id': copyableCode(payrollId, consoleText('payroll.id')),
  }
}
