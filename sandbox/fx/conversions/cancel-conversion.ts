/** Cancels an unsettled conversion at a small loss, and lists the losses. */
import { sql } from 'kysely'
import { updateRow } from '../../rows.ts'
import { changeBalance } from '../books/balance-store.ts'
import { equalTo, listRows, requireRow } from '../books/rows.ts'
import { HOUSE } from '../context.ts'
import { formatAmount } from '../market/market.ts'
import { formatInstant } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { pagination, parsePage } from '../protocol/pagination.ts'
import { fieldRejected } from '../protocol/provider-api-error.ts'
import type { Conversion } from '../tables.ts'
import { notifyConversion } from './conversion-response.ts'

/** 0.015 % of the sold amount, as in the provider's public recordings. */
const LOSS_PER_100_000 = 15n
const EVENT_TYPE = 'self_service_cancellation'

export async function cancelConversion(call: OperationCall): Promise<object> {
  const { context, at, parameters } = call
  const conversion = await requireRow(call, 'conversions', 'conversion', { lock: true })
  if (conversion.status === 'trade_settled' || conversion.status === 'closed') {
    throw fieldRejected(
      'conversion_cancel_failed',
      'base',
      'conversion_cannot_be_cancelled',
      `The conversion is ${conversion.status} and cannot be cancelled`,
    )
  }
  if (context.faults.take('refuse-cancelling') !== undefined) {
    const message = 'The conversion cannot be cancelled at the moment'
    throw fieldRejected('conversion_cancel_failed', 'base', 'conversion_cancellation_failed', message)
  }
  const loss = lossOf(conversion)
  const cancelled = await updateRow(context, 'conversions', conversion, {
    status: 'closed',
    loss_minor: loss,
    cancel_notes: parameters['notes'] ?? '',
    updated_at: at,
    due_at: null,
  })
  await changeBalance(context, {
    currency: conversion.sell_currency,
    minor: -loss,
    entity: { type: 'conversion', id: conversion.id, reference: conversion.short_reference },
    action: 'conversion',
    at,
  })
  await notifyConversion(context, 'trade_closed', cancelled, at)
  return eventOf(cancelled)
}

/** Only cancelled conversions have a profit or loss in this sandbox. */
export async function findProfitAndLoss({ context, parameters }: OperationCall): Promise<object> {
  const { event_type = EVENT_TYPE } = parameters
  const page = parsePage(parameters)
  const { rows, total } = await listRows(context, 'conversions', page, [
    sql<boolean>`loss_minor is not null and ${event_type} = ${EVENT_TYPE}`,
    ...equalTo(parameters, { conversion_id: 'id' }),
  ])
  return { conversion_profit_and_losses: rows.map(eventOf), pagination: pagination(page, total, 'event_date_time') }
}

function eventOf(conversion: Conversion): object {
  return {
    account_id: HOUSE.accountId,
    contact_id: HOUSE.contactId,
    event_account_id: HOUSE.accountId,
    event_contact_id: HOUSE.contactId,
    conversion_id: conversion.id,
    event_type: EVENT_TYPE,
    amount: formatAmount(-(conversion.loss_minor ?? 0n), conversion.sell_currency),
    currency: conversion.sell_currency,
    notes: conversion.cancel_notes ?? '',
    event_date_time: formatInstant(conversion.updated_at),
  }
}

function lossOf({ sell_minor }: Conversion): bigint {
  return (2n * sell_minor * LOSS_PER_100_000 + 100_000n) / 200_000n
}
