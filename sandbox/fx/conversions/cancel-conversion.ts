/** Cancels an unsettled conversion at a small loss, and lists the losses. */

import { changeBalance } from '../books/balance-store.ts'
import { type Conversion, cancelledConversions, lockConversion, updateConversion } from '../books/conversion-store.ts'
import { HOUSE } from '../context.ts'
import { formatAmount } from '../market/market.ts'
import { enqueueNotification } from '../notifications.ts'
import { formatInstant } from '../protocol/format-time.ts'
import type { OperationCall } from '../protocol/operation-call.ts'
import { pagination, parsePage } from '../protocol/pagination.ts'
import { fieldRejected, notFound } from '../protocol/provider-api-error.ts'
import { conversionResponse } from './conversion-response.ts'

/** 0.015 % of the sold amount, as in the provider's public recordings. */
const LOSS_PER_100_000 = 15n
const EVENT_TYPE = 'self_service_cancellation'
const NOTHING_PAID = { paymentIds: [], minor: 0n }

export async function cancelConversion({ context, books, at, parameters }: OperationCall): Promise<object> {
  const conversion = await lockConversion(books, parameters['id'] ?? '')
  if (conversion === undefined) {
    throw notFound('conversion')
  }
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
  const cancelled = await updateConversion(books, conversion, {
    status: 'closed',
    loss_minor: loss,
    cancel_notes: parameters['notes'] ?? '',
    updated_at: at.toString(),
    due_at: null,
  })
  await changeBalance(books, {
    currency: conversion.sell_currency,
    minor: -loss,
    entity: { type: 'conversion', id: conversion.id, reference: conversion.short_reference },
    action: 'conversion',
    at,
  })
  const shown = conversionResponse(cancelled, NOTHING_PAID)
  await enqueueNotification(books, { type: 'conversion/trade_closed', body: shown, at })
  return eventOf(cancelled)
}

/** Only cancelled conversions have a profit or loss in this sandbox. */
export async function findProfitAndLoss({ books, parameters }: OperationCall): Promise<object> {
  const { conversion_id, event_type = EVENT_TYPE } = parameters
  const page = parsePage(parameters)
  const cancelled = event_type === EVENT_TYPE ? await cancelledConversions(books, conversion_id) : []
  const start = (page.number - 1) * page.size
  return {
    conversion_profit_and_losses: cancelled.slice(start, start + page.size).map(eventOf),
    pagination: pagination(page, cancelled.length, 'event_date_time'),
  }
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
