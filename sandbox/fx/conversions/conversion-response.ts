/** Finds conversions, and renders them for responses and notifications. */

import { sql } from 'kysely'
import { sumPaidOut } from '../books/balance-store.ts'
import { equalTo, listRows, requireRow } from '../books/rows.ts'
import { type Context, HOUSE } from '../context.ts'
import { formatAmount, pairCode } from '../market/market.ts'
import { enqueueNotification } from '../notifications.ts'
import { formatDay, formatInstant, parseInstant } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { pagination, parsePage } from '../protocol/pagination.ts'
import type { Conversion } from '../tables.ts'

/** Enqueues the notification of a change; returns the conversion as it is shown. */
export async function notifyConversion(
  context: Context,
  change: 'cash_manager_trade' | 'funds_arrived' | 'trade_settled' | 'trade_closed',
  conversion: Conversion,
  at: Temporal.Instant,
): Promise<object> {
  const body = await conversionResponse(context, conversion)
  await enqueueNotification(context, { type: `conversion/${change}`, body, at })
  return body
}

export async function conversionResponse(context: Context, conversion: Conversion): Promise<object> {
  const { buy_currency: buy, sell_currency: sell } = conversion
  const paidOut = await sumPaidOut(context, conversion.id)
  const unallocated = conversion.loss_minor === null ? conversion.buy_minor - paidOut.minor : 0n
  return {
    id: conversion.id,
    settlement_date: formatInstant(conversion.settles_at),
    conversion_date: formatDay(conversion.conversion_on),
    short_reference: conversion.short_reference,
    creator_contact_id: HOUSE.contactId,
    account_id: HOUSE.accountId,
    currency_pair: pairCode(buy, sell),
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

export async function getConversion(call: OperationCall): Promise<object> {
  return await conversionResponse(call.context, await requireRow(call, 'conversions', 'conversion'))
}

const FILTERS = {
  unique_request_id: 'request_id',
  short_reference: 'short_reference',
  status: 'status',
  buy_currency: 'buy_currency',
  sell_currency: 'sell_currency',
}

export async function listConversions({ context, parameters, lists }: OperationCall): Promise<object> {
  const page = parsePage(parameters)
  const ids = lists['conversion_ids']
  const from = parseInstant(parameters['created_at_from'])
  const to = parseInstant(parameters['created_at_to'])
  const { rows, total } = await listRows(context, 'conversions', page, [
    ...equalTo(parameters, FILTERS),
    ...(from === undefined ? [] : [sql<boolean>`created_at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql<boolean>`created_at <= ${to}::timestamptz`]),
    ...(ids === undefined ? [] : [sql<boolean>`id::text = any(${ids}::text[])`]),
  ])
  const conversions: object[] = []
  for (const conversion of rows) {
    conversions.push(await conversionResponse(context, conversion))
  }
  return { conversions, pagination: pagination(page, total, 'created_at') }
}
