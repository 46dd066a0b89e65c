/** Lists a partner's payments: narrowed as asked, page by page. */
import { PAYMENTS_PER_PAGE, type PaymentPage } from '../../contract/payments/payment-operations.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Context } from '../context.ts'
import { placeIn } from '../orders/order-list-filter.ts'
import { filterOf, type ListQuery, listProblems, nextCursorAfter } from '../orders/order-list-query.ts'
import { listPaymentsOf } from '../orders/payment-list-store.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'
import { listedOf } from './show-payment.ts'

type Whose = Pick<PartnerCaller, 'partnerId'>

/** What a list is asked for that no calendar and no page before holds. */
export function paymentListProblems(
  { seal }: Pick<Context, 'seal'>,
  caller: Whose,
  query: ListQuery,
  isSound: (path: string) => boolean,
): readonly Problem[] {
  return listProblems({ seal, list: 'payments' }, caller, query, isSound)
}

/** A page of the partner's payments, oldest first; those that changed since a time by their last change. */
export async function listPayments(
  { database, seal }: Pick<Context, 'database' | 'seal'>,
  caller: Whose,
  query: ListQuery,
): Promise<PaymentPage> {
  const limit = query.limit ?? PAYMENTS_PER_PAGE.default
  const of = { seal, list: 'payments' } as const
  const filter = filterOf(of, caller, query)
  const payments = await listPaymentsOf(database, caller.partnerId, filter, limit + 1)
  const page = payments.slice(0, limit)
  const last = payments.length > limit ? page.at(-1) : undefined
  const nextCursor = nextCursorAfter(of, caller, query, last && placeIn(filter, last))
  return { payments: page.map(listedOf), nextCursor }
}
