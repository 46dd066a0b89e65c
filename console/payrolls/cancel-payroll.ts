/** Cancels a payroll for a user of its company, as the API does, and says why where that is not possible. */

import { html } from 'ghtml'
import { BankError } from '../../gateway/banks/connector/bank-error.ts'
import type { Context } from '../../gateway/context.ts'
import { findPayrollOf } from '../../gateway/orders/find-orders.ts'
import type { Payroll } from '../../gateway/orders/payroll.ts'
import { PAYROLL_ROWS } from '../../gateway/orders/views/order-rows.ts'
import { cancelPayroll, findPayrollCancellationOffer } from '../../gateway/payrolls/cancel-payroll.ts'
import { ApiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isPermitted } from '../access/console-role.ts'
import { actorOf } from '../access/console-session.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import { CONSENT_FIELD, cancelForm } from '../markup/cancel-form.ts'
import type { ActionOutcome } from '../markup/notice.ts'
import { changeSinceSeen } from '../markup/seen-state.ts'
import { RETURN_PATH } from '../records/return-page.ts'
import { scaLinkMarkup } from '../records/sca-link-markup.ts'
import { consoleText } from '../texts/console-texts.ts'
import { PAYROLLS_PATH } from './payroll-summary.ts'

const stateOf = ({ status, state }: Payroll) => `${status} ${state}`

/** A button where the payroll can be cancelled, otherwise why not; nothing for users who may not act. */
export async function payrollCancellationForm(context: Context, payroll: Payroll, viewer: Viewer): Promise<string> {
  if (!isPermitted(viewer.session.roles, 'payroll.act')) {
    return ''
  }
  const offer = await findPayrollCancellationOffer(context, payroll)
  const title = html`<h2>${consoleText('cancelPayroll.title')}</h2>`
  switch (offer.kind) {
    case 'open': {
      const subject = { partnerId: payroll.partnerId, kind: 'cancellation', subjectId: offer.cancellationId } as const
      return html`!${title}<p>${consoleText('cancelPayroll.open')}</p>!${await scaLinkMarkup(context, viewer, subject, 'payroll.act')}`
    }
    case 'not-permitted':
      return html`!${title}<p>${consoleText('cancelPayroll.notPermitted', { reason: offer.reason })}</p>`
    case 'permitted': {
      const [path, button] = [`${PAYROLLS_PATH}/${payroll.id}/cancel`, consoleText('cancelPayroll.cancel')]
      return title + cancelForm({ path, state: stateOf(payroll), button }, offer.consents, viewer)
    }
  }
}

/** What became of it; a user who must sign finds the link on the page of the payroll. */
export async function cancelPayrollInPath(context: Context, request: ConsoleRequest): Promise<ActionOutcome> {
  const { viewer, form, params } = request
  const { partnerId, id: payrollId } = await requireVisible(context, viewer, PAYROLL_ROWS, params['payrollId'])
  const payroll = await findPayrollOf(context, partnerId, payrollId)
  const changed = changeSinceSeen(form, stateOf(payroll))
  if (changed !== undefined) {
    return changed
  }
  const offer = await findPayrollCancellationOffer(context, payroll)
  if (offer.kind !== 'permitted') {
    const isOpen = offer.kind === 'open'
    const message = isOpen ? consoleText('cancelPayroll.open') : consoleText('cancelPayroll.notPermitted', offer)
    return { status: 409, message }
  }
  const consent = offer.consents.find(({ id }) => id === form.text(CONSENT_FIELD))
  if (consent === undefined) {
    return { status: 422, message: consoleText('cancelPayment.noUser') }
  }
  const actor = { partnerId, consent, psu: null, actor: actorOf(viewer.session) }
  const callbackUrl = `${context.config.baseUrl}${RETURN_PATH}`
  try {
    const { cancellationRequestStatus: status = 'progress' } = await cancelPayroll(context, actor, {
      payrollId,
      callbackUrl,
    })
    return { status: 200, message: consoleText(`cancelPayroll.results.${status}`) }
  } catch (error) {
    if (error instanceof ApiError || error instanceof BankError) {
      return { status: 409, message: error.message }
    }
    throw error
  }
}
