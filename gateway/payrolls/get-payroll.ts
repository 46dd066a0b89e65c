/** Returns the status of a payroll and of each of its transactions to the partner that ordered it. */
import type { PayrollStatus } from '../../contract/payrolls/payroll-response.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import { isInForce } from '../consents/consent.ts'
import { activeConsentOf } from '../consents/consent-lookup.ts'
import type { Context } from '../context.ts'
import { findPayrollOf, listPayrollOrders } from '../orders/find-orders.ts'
import { isOutcomeUnknown } from '../orders/payment.ts'
import { isFinalPayroll, type Payroll, statusOfPayroll } from '../orders/payroll.ts'
import { renderPayrollTransactions } from '../orders/render-payroll-transactions.ts'
import { pollDueOrders } from '../orders/status/poll-due-orders.ts'
import { apiError } from '../platform/http/errors/api-error.ts'

/** Polls orders that are due at the bank first. Throws 404, or `INVALID_CONSENT` when the consent is no longer in force. */
export async function getPayroll(context: Context, { partnerId }: PartnerCaller, id: string): Promise<PayrollStatus> {
  const payroll = await findPayrollOf(context, partnerId, id)
  await requireConsentOf(context, payroll)
  await pollDueOrders(context, await listPayrollOrders(context, { partnerId, payrollId: payroll.id }))
  return await renderPayrollStatus(context, await findPayrollOf(context, partnerId, id))
}

async function requireConsentOf(context: Context, payroll: Payroll): Promise<void> {
  const consent = await activeConsentOf(context, payroll)
  if (consent === undefined || !isInForce(consent, context.clock.now())) {
    throw apiError('INVALID_CONSENT', 'The consent under which the payroll was ordered is no longer in force')
  }
}

async function renderPayrollStatus(context: Context, payroll: Payroll): Promise<PayrollStatus> {
  const { partnerId, id: payrollId, state } = payroll
  const key = { partnerId, payrollId }
  const [transactions, orders] = await Promise.all([
    renderPayrollTransactions(context, key),
    listPayrollOrders(context, key),
  ])
  const status = statusOfPayroll(transactions.map(({ payrollStatus }) => payrollStatus))
  const outcomeUnknown = orders.some(isOutcomeUnknown)
  return {
    payrollId,
    currentPayrollStatus: status,
    finalStatus: isFinalPayroll({ status, state }, outcomeUnknown),
    outcomeUnknown,
    transactions,
  }
}
