/** Shows one payroll: its state, its progress, what happened to it, and its transactions. */

import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { listAuditLog } from '../../gateway/operators/audit-log.ts'
import { findPayrollOf } from '../../gateway/orders/find-orders.ts'
import { PAYROLL_ROWS } from '../../gateway/orders/views/order-rows.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer, ConsolePage } from '../layout/console-page.ts'
import { listMarkup } from '../lists/list-page.ts'
import { LIVE_SCRIPT_PATH, liveRegion } from '../live/live-region.ts'
import type { ShareRendering } from '../live/live-stream.ts'
import type { VersionReader } from '../live/live-versions.ts'
import { auditHistory } from '../markup/audit-history.ts'
import { formatTime } from '../markup/format-time.ts'
import { type ActionOutcome, noticeMarkup } from '../markup/notice.ts'
import { consoleText } from '../texts/console-texts.ts'
import { payrollCancellationForm } from './cancel-payroll.ts'
import { PAYROLLS_PATH, renderPayrollSummary } from './payroll-summary.ts'
import { transactionList } from './payroll-transactions.ts'

/** `outcome` is that of an action. Throws `not-found` for an unknown id and for a payroll of a foreign partner, which look the same. */
export async function payrollPage(
  context: Context,
  request: ConsoleRequest,
  outcome?: ActionOutcome,
): Promise<ConsolePage> {
  const { viewer, params } = request
  const payroll = await requireVisible(context, viewer, PAYROLL_ROWS, params['payrollId'])
  const stored = await findPayrollOf(context, payroll.partnerId, payroll.id)
  const summary = await renderPayrollSummary(context, payroll, { isOperator: isOperator(viewer) })
  const list = transactionList(context, { partnerId: payroll.partnerId, payrollId: payroll.id })
  const { markup, isValid } = await listMarkup(context, list, request)
  const audit = isOperator(viewer) ? await listAuditLog(context, payroll.partnerId, payroll.id) : []
  const path = `${PAYROLLS_PATH}/${payroll.id}`
  const body = html`!${noticeMarkup(outcome)}
!${liveRegion(`${path}/live`, summary)}
!${await payrollCancellationForm(context, stored, viewer)}
!${auditHistory(audit)}
<h2 id="transactions">${list.title}</h2>
!${markup}`
  const title = consoleText('payroll.title', { created: formatTime(stored.createdAt) })
  return { kind: 'page', status: isValid ? (outcome?.status ?? 200) : 422, title, body, scripts: [LIVE_SCRIPT_PATH] }
}

/** The part that lives again whenever something has happened. Throws `not-found` as the page does. */
export async function livePayroll(
  context: Context,
  { reader, share }: { readonly reader: VersionReader; readonly share: ShareRendering },
  { viewer, params }: ConsoleRequest,
): Promise<ConsoleAnswer> {
  const payroll = await requireVisible(context, viewer, PAYROLL_ROWS, params['payrollId'])
  const subject = `${payroll.partnerId} ${payroll.id}`
  const access = { isOperator: isOperator(viewer) }
  const render = async () => {
    // Of the time when it is rendered, not of that when the page was opened.
    const current = await requireVisible(context, viewer, PAYROLL_ROWS, payroll.id)
    return await renderPayrollSummary(context, current, access)
  }
  return {
    kind: 'live',
    part: { reader, subject, render: () => share(`${subject} ${access.isOperator}`, render) },
  }
}

function isOperator({ session }: Viewer): boolean {
  return session.partnerId === null
}
