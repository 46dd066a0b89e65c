/** Lists a partner's payrolls, filtered and paged, without their transactions. */

import { PAYROLLS_PER_PAGE, type PayrollQuery } from '../../contract/payrolls/payroll-operations.ts'
import type { PayrollPage, PayrollSummary } from '../../contract/payrolls/payroll-response.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { Context } from '../context.ts'
import { listFilterOf, nextCursorAfter, validateListQuery } from '../orders/order-list-query.ts'
import { isFinalPayroll } from '../orders/payroll.ts'
import { listPositionOf } from '../orders/store/payment-list-store.ts'
import { openPayrollTerms } from '../orders/store/payroll-contents.ts'
import { type ListedPayroll, listPayrollsOfPartner } from '../orders/store/payroll-store.ts'
import type { ValidationError } from '../platform/http/errors/api-error.ts'
import { formatMoney } from '../platform/money.ts'
import { presentFields } from '../platform/present-fields.ts'
import { formatTimestamp } from '../platform/time-format.ts'

type PartnerRef = Pick<PartnerCaller, 'partnerId'>

/** Validates the dates and the cursor of a list query. */
export function payrollListQueryErrors(
  { seal }: Context,
  caller: PartnerRef,
  query: PayrollQuery,
  isSound: (path: string) => boolean,
): readonly ValidationError[] {
  return validateListQuery({ seal, list: 'payrolls' }, caller, query, isSound)
}

/** Returns a page of the partner's payrolls, oldest first; with a filter on changes, in order of the last change. */
export async function listPayrolls(
  { database, seal }: Context,
  caller: PartnerRef,
  query: PayrollQuery,
): Promise<PayrollPage> {
  const limit = query.limit ?? PAYROLLS_PER_PAGE.default
  const of = { seal, list: 'payrolls' } as const
  const filter = listFilterOf(of, caller, query)
  const payrolls = await listPayrollsOfPartner(database, caller.partnerId, filter, limit + 1)
  const page = payrolls.slice(0, limit)
  const last = payrolls.length > limit ? page.at(-1) : undefined
  const nextCursor = nextCursorAfter(of, caller, query, last && listPositionOf(filter, last))
  return { payrolls: page.map((payroll) => renderListedPayroll(seal, payroll)), nextCursor }
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
