/** Returns payrolls to the partner: one with the status of each transaction, or a list by filter, page by page, without them. */

import type { PayrollPage, PayrollStatus, PayrollSummary } from '../../contract/payrolls/payroll-response.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import { isInForce } from '../consents/consent.ts'
import { activeConsentOf } from '../consents/consent-lookup.ts'
import type { Context } from '../context.ts'
import { findPayrollOf, listPayrollOrders } from '../orders/find-orders.ts'
import { type OrderList, pageOf } from '../orders/order-list-query.ts'
import { isOutcomeUnknown } from '../orders/payment.ts'
import { isFinalPayroll, type Payroll, renderPayrollTransaction, statusOfPayroll } from '../orders/payroll.ts'
import { pollDueOrders } from '../orders/status/poll-due-orders.ts'
import { type ListedPayroll, listPayrollsOfPartner, openPayrollTerms } from '../orders/store/payroll-store.ts'
import { listPayrollTransactionRows } from '../orders/store/payroll-transaction-store.ts'
import { formatTimestamp } from '../platform/clock.ts'
import { presentFields } from '../platform/collections.ts'
import { mapYieldingToEventLoop } from '../platform/concurrency.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { formatMoney } from '../platform/money.ts'

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
    listPayrollTransactionRows(context.database, key),
    listPayrollOrders(context, key),
  ])
  const status = statusOfPayroll(transactions.map((transaction) => transaction.status))
  const outcomeUnknown = orders.some(isOutcomeUnknown)
  return {
    payrollId,
    currentPayrollStatus: status,
    finalStatus: isFinalPayroll({ status, state }, outcomeUnknown),
    outcomeUnknown,
    transactions: await mapYieldingToEventLoop(transactions, renderPayrollTransaction),
  }
}

/** Returns a page of the partner's payrolls, oldest first; with a filter on changes, in order of the last change. */
export async function listPayrolls(context: Context, list: OrderList): Promise<PayrollPage> {
  const { scope, filter, limit } = list
  const payrolls = await listPayrollsOfPartner(context.database, scope.partnerId, filter, limit + 1)
  const { page, nextCursor } = pageOf(context, list, payrolls)
  return { payrolls: page.map((payroll) => renderListedPayroll(context.seal, payroll)), nextCursor }
}

function renderListedPayroll(seal: Context['seal'], payroll: ListedPayroll): PayrollSummary {
  const { outcomeUnknown, status, bulkId, termsSealed } = payroll
  const { from, total } = openPayrollTerms(seal, payroll, termsSealed)
  const { organizationNumber } = from
  return {
    payrollId: payroll.id,
    currentPayrollStatus: status,
    finalStatus: isFinalPayroll(payroll, outcomeUnknown),
    outcomeUnknown,
    from: {
      account: { bban: from.account.bban },
      name: from.name,
      ...(organizationNumber === undefined ? {} : { organizationNumber: String(organizationNumber) }),
    },
    transactionCount: payroll.transactionCount,
    totalAmount: formatMoney(total),
    dueDate: payroll.dueDate.toString(),
    ...presentFields({ bulkId }),
    createdAt: formatTimestamp(payroll.createdAt),
    updatedAt: formatTimestamp(payroll.changedAt),
  }
}
