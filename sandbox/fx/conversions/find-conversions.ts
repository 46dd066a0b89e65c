/** Shows one conversion, or those that match. */
import { paidOutOf } from '../payouts/payment-store.ts'
import type { Call } from '../protocol/operation-call.ts'
import { pageOf, pagination } from '../protocol/pagination.ts'
import { notFound } from '../protocol/provider-api-error.ts'
import { showConversion } from './conversion-response.ts'
import { findConversion, findConversions } from './conversion-store.ts'

export async function readConversion({ books, parameters }: Call): Promise<object> {
  const conversion = await findConversion(books, parameters['id'] ?? '')
  if (conversion === undefined) {
    throw notFound('conversion')
  }
  return showConversion(conversion, await paidOutOf(books, conversion.id))
}

export async function listConversions({ books, parameters, lists }: Call): Promise<object> {
  const page = pageOf(parameters)
  const { rows, total } = await findConversions(
    books,
    {
      ids: lists['conversion_ids'],
      requestId: parameters['unique_request_id'],
      shortReference: parameters['short_reference'],
      status: parameters['status'],
      buyCurrency: parameters['buy_currency'],
      sellCurrency: parameters['sell_currency'],
    },
    page,
  )
  const conversions: object[] = []
  for (const conversion of rows) {
    conversions.push(showConversion(conversion, await paidOutOf(books, conversion.id)))
  }
  return { conversions, pagination: pagination(page, total, 'created_at') }
}
