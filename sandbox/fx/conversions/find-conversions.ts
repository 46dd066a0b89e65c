/** Finds one conversion, or lists those that match the filters. */
import { sumPaidOut } from '../payouts/payment-store.ts'
import { parseInstant } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { pagination, parsePage } from '../protocol/pagination.ts'
import { notFound } from '../protocol/provider-api-error.ts'
import { conversionResponse } from './conversion-response.ts'
import { findConversion, findConversions } from './conversion-store.ts'

export async function getConversion({ books, parameters }: OperationCall): Promise<object> {
  const conversion = await findConversion(books, parameters['id'] ?? '')
  if (conversion === undefined) {
    throw notFound('conversion')
  }
  return conversionResponse(conversion, await sumPaidOut(books, conversion.id))
}

export async function listConversions({ books, parameters, lists }: OperationCall): Promise<object> {
  const page = parsePage(parameters)
  const { rows, total } = await findConversions(
    books,
    {
      ids: lists['conversion_ids'],
      requestId: parameters['unique_request_id'],
      shortReference: parameters['short_reference'],
      status: parameters['status'],
      buyCurrency: parameters['buy_currency'],
      sellCurrency: parameters['sell_currency'],
      createdFrom: parseInstant(parameters['created_at_from']),
      createdTo: parseInstant(parameters['created_at_to']),
    },
    page,
  )
  const conversions: object[] = []
  for (const conversion of rows) {
    conversions.push(conversionResponse(conversion, await sumPaidOut(books, conversion.id)))
  }
  return { conversions, pagination: pagination(page, total, 'created_at') }
}
