/** Lists a partner's payments by filter, page by page. */
import { PAYMENTS_PER_PAGE, type PaymentPage } from '../../contract/payments/payment-operations.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Context } from '../context.ts'
import { type ListQuery, listFilterOf, nextCursorAfter, validateListQuery } from '../orders/order-list-query.ts'
import { listPaymentsOf, listPositionOf } from '../orders/store/payment-list-store.ts'
import type { ValidationError } from '../platform/http/errors/api-error.ts'
import { renderListedPayment } from './get-payment.ts'

type Partner = Pick<PartnerCaller, 'partnerId'>

/** Returns the errors that the schema cannot find: dates outside the calendar, empty ranges and invalid cursors. */
export function validatePaymentListQuery(
  { seal }: Context,
  caller: Partner,
  query: ListQuery,
  isValid: (path: string) => boolean,
): readonly ValidationError[] {
  return validateListQuery({ seal, list: 'payments' }, caller, query, isValid)
}

/** Returns a page of the partner's payments, oldest first, or by their last change if `updatedSince` is given. */
export async function listPayments(
  { database, seal }: Context,
  caller: Partner,
  query: ListQuery,
): Promise<PaymentPage> {
  const limit = query.limit ?? PAYMENTS_PER_PAGE.default
  const of = { seal, list: 'payments' } as const
  const filter = listFilterOf(of, caller, query)
  const payments = await listPaymentsOf(database, caller.partnerId, filter, limit + 1)
  const page = payments.slice(0, limit)
  const last = payments.length > limit ? page.at(-1) : undefined
  const nextCursor = nextCursorAfter(of, caller, query, last && listPositionOf(filter, last))
  return { payments: page.map(renderListedPayment), nextCursor }
}
