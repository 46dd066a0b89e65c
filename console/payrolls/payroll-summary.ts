/** Renders what lives on the page of a payroll: its state, its progress, what stops it, and what happened to it. */

import { html } from 'ghtml'
import { isInForce } from '../../gateway/consents/consent.ts'
import { activeConsentOf } from '../../gateway/consents/consent-lookup.ts'
import type { Context } from '../../gateway/context.ts'
import { formatAccountNumber } from '../../gateway/countries/account-number.ts'
import { findPayrollOf } from '../../gateway/orders/find-orders.ts'
import type { Payroll } from '../../gateway/orders/payroll.ts'
import { readPayrollTerms } from '../../gateway/orders/store/payroll-contents.ts'
import {
  findFileOfPayroll,
  findPayrollObstacle,
  groupTransactions,
} from '../../gateway/orders/views/payroll-details.ts'
import type { PartnerRow } from '../../gateway/partners/partner-rows.ts'
import { copyableCode, idMarkup } from '../markup/copy/copy-button.ts'
import { factList } from '../markup/data-table.ts'
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
  const timeline = await readPayrollTimeline(context, payroll, groups, { tasks: isOperator })
  return html`!${stateOf(payroll)}
!${progressMarkup(payroll, progress)}
!${obstaclesMarkup({ payroll, obstacle, progress, hasConsent })}
<h2>${consoleText('payroll.transactionsByStatus')}</h2>
!${statusCounts(`${PAYROLLS_PATH}/${payrollId}`, groups)}
<h2>${consoleText('payroll.order')}</h2>
!${isOperator ? await orderForOperators(context, payroll, partnerName) : await orderForPartner(context, payroll)}
<h2>${consoleText('payment.timeline')}</h2>
!${timelineMarkup(timeline)}`
}

function stateOf({ status, state, changedAt, submitAt }: Payroll): string {
  return factList([
    [consoleText('payments.status'), statusMarkup(status)],
    [consoleText('payroll.state'), html`${consoleText(`payroll.states.${state}`)}`],
    [consoleText('payroll.changed'), timeMarkup(changedAt)],
    [consoleText('payroll.nextAttempt'), submitAt === null ? undefined : timeMarkup(submitAt)],
  ])
}

type Facts = readonly (readonly [name: string, value: string | undefined])[]

async function orderForOperators(context: Context, payroll: Payroll, partnerName: string): Promise<string> {
  return factList([[consoleText('payments.partner'), html`${partnerName}`], ...(await factsOf(context, payroll))])
}

async function orderForPartner(context: Context, payroll: Payroll): Promise<string> {
  const { from, total } = await readPayrollTerms(context, payroll)
  return factList([
    [consoleText('payroll.total'), html`${formatMoneyForReaders(total)}`],
    [
      consoleText('payment.debtor'),
      html`${from.name}, ${formatAccountNumber(payroll.countryCode, payroll.debtorBban)}`,
    ],
    ...(await factsOf(context, payroll)),
  ])
}

async function factsOf(context: Context, payroll: Payroll): Promise<Facts> {
  const { partnerId, id: payrollId, bic, bulkId, submissionMode } = payroll
  const [bank, file] = await Promise.all([
    context.banks.find(bic),
    submissionMode === 'file' ? findFileOfPayroll(context.database, { partnerId, payrollId }) : undefined,
  ])
  return [
    [consoleText('payroll.count'), html`${formatCount(payroll.transactionCount)}`],
    [consoleText('payments.dueDate'), html`${formatDay(payroll.dueDate)}`],
    [consoleText('payroll.mode'), html`${consoleText(`payroll.modes.${submissionMode}`)}`],
    [
      consoleText('payroll.file'),
      file && html`${consoleText(`payroll.files.${file.state}`)}, <code>${file.messageId}</code>`,
    ],
    [consoleText('payroll.reportedAt'), file?.reportedAt == null ? undefined : timeMarkup(file.reportedAt)],
    [consoleText('payment.company'), html`${payroll.organisationNumber}`],
    [consoleText('payment.bank'), html`${bank?.name ?? bic} (${bic})`],
    [consoleText('payroll.bulk'), bulkId === null ? undefined : idMarkup(bulkId)],
    [consoleText('payroll.id'), copyableCode(payrollId, consoleText('payroll.id'))],
  ]
}
