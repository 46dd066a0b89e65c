/** Lists a partner's payrolls: narrowed as asked, page by page, without their payouts. */

import { PAYROLLS_PER_PAGE, type PayrollQuery } from '../../contract/payrolls/payroll-operations.ts'
import type { PayrollListed, PayrollPage } from '../../contract/payrolls/payroll-response.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Context } from '../context.ts'
import { placeIn } from '../orders/order-list-filter.ts'
import { filterOf, listProblems, nextCursorAfter } from '../orders/order-list-query.ts'
import { printTimestamp } from '../platform/format-timestamp.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'
import { printMoney } from '../platform/money.ts'
import { isFinalPayroll } from './payroll.ts'
import { listPayrollsOf, type PayrollInList } from './payroll-list-store.ts'
import { openTerms } from './payroll-terms.ts'

type Whose = Pick<PartnerCaller, 'partnerId'>

/** What a list is asked for that no calendar and no page before holds. */
export function payrollListProblems(
  { seal }: Pick<Context, 'seal'>,
  caller: Whose,
  query: PayrollQuery,
  isSound: (path: string) => boolean,
): readonly Problem[] {
  return listProblems({ seal, list: 'payrolls' }, caller, query, isSound)
}

/** A page of the partner's payrolls, oldest first; those that changed since a time by their last change. */
export async function listPayrolls(
  { database, seal }: Pick<Context, 'database' | 'seal'>,
  caller: Whose,
  query: PayrollQuery,
): Promise<PayrollPage> {
  const limit = query.limit ?? PAYROLLS_PER_PAGE.default
  const of = { seal, list: 'payrolls' } as const
  const filter = filterOf(of, caller, query)
  const payrolls = await listPayrollsOf(database, caller.partnerId, filter, limit + 1)
  const page = payrolls.slice(0, limit)
  const last = payrolls.length > limit ? page.at(-1) : undefined
  const nextCursor = nextCursorAfter(of, caller, query, last && placeIn(filter, last))
  return { payrolls: page.map((payroll) => listedOf(seal, payroll)), nextCursor }
}

function listedOf(seal: Context['seal'], payroll: PayrollInList): PayrollListed {
  const { outcomeUnknown, status, bulkId, termsSealed } = payroll
  const { from, total } = openTerms(seal, payroll, termsSealed)
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
    totalAmount: printMoney(total),
    dueDate: payroll.dueDate.toString(),
    ...(bulkId === null ? {} : { bulkId }),
    createdAt: printTimestamp(payroll.createdAt),
    updatedAt: printTimestamp(payroll.changedAt),
  }
}
