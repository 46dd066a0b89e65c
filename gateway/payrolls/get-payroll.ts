/** Shows a payroll to the partner that ordered it: what became of each payout, and of the whole. */
import type { PayrollStatus } from '../../contract/payrolls/payroll-response.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { isInForce } from '../consents/consent.ts'
import { liveConsentOf } from '../consents/find-consent.ts'
import type { Context } from '../context.ts'
import { isOutcomeUnknown } from '../orders/payment.ts'
import { shownPayouts } from '../orders/payroll/render-payroll-transactions.ts'
import { readDueOrders } from '../payments/payroll-order/read-due-orders.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { isFinalPayroll, type Payroll, statusOfPayroll, statusUncarried } from './payroll.ts'
import { payrollOf } from './require-payroll.ts'

/** Orders whose next reading is due are read at the bank first. Throws 404, or `INVALID_CONSENT` once nobody may ask the bank. */
export async function showPayroll(context: Context, { partnerId }: PartnerCaller, id: string): Promise<PayrollStatus> {
  const payroll = await payrollOf(context, partnerId, id)
  await requireConsentOf(context, payroll)
  await readDueOrders(context, { partnerId, payrollId: payroll.id })
  return await shownPayroll(context, await payrollOf(context, partnerId, id))
}

async function requireConsentOf(context: Context, payroll: Payroll): Promise<void> {
  const consent = await liveConsentOf(context, payroll)
  if (consent === undefined || !isInForce(consent, context.clock.now())) {
    throw refuse('INVALID_CONSENT', 'The consent under which the payroll was ordered is not in force any more')
  }
}

async function shownPayroll(context: Context, payroll: Payroll): Promise<PayrollStatus> {
  const { partnerId, id: payrollId, state, changedAt } = payroll
  const uncarried = { status: statusUncarried(state), at: changedAt }
  const { transactions, orders } = await shownPayouts(context, { partnerId, payrollId }, uncarried)
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
