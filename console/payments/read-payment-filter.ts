/** Lets the search for an id find a payment by the `svc-request-id` of the request that created it, or was about it. */
import type { Context } from '../../gateway/context.ts'
import { findPaymentOfRequest } from '../../gateway/request-log/find-requests.ts'
import type { ConsoleRequest } from '../console-route.ts'
import { type ParsedPaymentFilter, parsePaymentFilter } from './payment-filter.ts'

/** The filter of a list of payments, in which a request's id is replaced by that of its payment. */
export async function readPaymentFilter(
  context: Context,
  request: Pick<ConsoleRequest, 'viewer' | 'query'>,
): Promise<ParsedPaymentFilter> {
  const parsed = parsePaymentFilter(request)
  const { search } = parsed.filter
  const id =
    search !== undefined && 'id' in search
      ? await findPaymentOfRequest(context, parsed.partnerId, search.id)
      : undefined
  return id === undefined ? parsed : { ...parsed, filter: { ...parsed.filter, search: { id } } }
}
