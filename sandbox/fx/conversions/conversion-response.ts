/** Finds conversions, and renders them for responses and notifications. */

import { type Conversion, findConversion, findConversions } from '../books/conversion-store.ts'
import { sumPaidOut } from '../books/payment-store.ts'
import { HOUSE } from '../context.ts'
import { formatAmount, pairOf, requireCurrency } from '../market/market.ts'
import { formatDay, formatInstant, parseInstant } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { pagination, parsePage } from '../protocol/pagination.ts'
import { notFound } from '../protocol/provider-api-error.ts'

export type PaidOut = { readonly paymentIds: readonly string[]; readonly minor: bigint }

export function conversionResponse(conversion: Conversion, paidOut: PaidOut): object {
  const { buy_currency: buy, sell_currency: sell } = conversion
  const unallocated = conversion.loss_minor === null ? conversion.buy_minor - paidOut.minor : 0n
  return {
    id: conversion.id,
    settlement_date: formatInstant(conversion.settles_at),
    conversion_date: formatDay(conversion.conversion_on),
    short_reference: conversion.short_reference,
    creator_contact_id: HOUSE.contactId,
    account_id: HOUSE.accountId,
    currency_pair: pairOf(requireCurrency(buy), requireCurrency(sell))
      .map(({ code }) => code)
      .join(''),
    status: conversion.status,
    buy_currency: buy,
    sell_currency: sell,
    client_buy_amount: formatAmount(conversion.buy_minor, buy),
    client_sell_amount: formatAmount(conversion.sell_minor, sell),
    fixed_side: conversion.fixed_side,
    core_rate: conversion.client_rate,
    partner_rate: '',
    partner_buy_amount: '0.00',
    partner_sell_amount: '0.00',
    client_rate: conversion.client_rate,
    deposit_required: false,
    deposit_amount: '0.00',
    deposit_currency: '',
    deposit_status: 'not_required',
    deposit_required_at: '',
    payment_ids: paidOut.paymentIds,
    unallocated_funds: formatAmount(unallocated, buy),
    unique_request_id: conversion.request_id,
    created_at: formatInstant(conversion.created_at),
    updated_at: formatInstant(conversion.updated_at),
    mid_market_rate: conversion.mid_rate,
  }
}

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
