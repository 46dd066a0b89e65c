/** Cancels a conversion that has not settled, for a small loss; and tells what that costs, before and after. */

import { changeBalance } from '../funds/balance-store.ts'
import { printAmount } from '../market/market.ts'
import { keepNotice } from '../notifications/enqueue-notification.ts'
import { printInstant } from '../protocol/format-time.ts'
import type { Call } from '../protocol/operation-call.ts'
import { pageOf, pagination } from '../protocol/pagination.ts'
import { notFound, refused } from '../protocol/provider-api-error.ts'
import { showConversion } from './conversion-response.ts'
import {
  type Conversion,
  cancelledConversions,
  findConversion,
  lockConversion,
  updateConversion,
} from './conversion-store.ts'
import { HOUSE } from './house-account.ts'

/** One and a half in ten thousand of what is sold, as the public recordings show. */
const LOSS_PER_100_000 = 15n
const EVENT_TYPE = 'self_service_cancellation'
const NOTHING_PAID = { paymentIds: [], minor: 0n }

/** What cancelling would cost now. */
export async function quoteCancellation({ books, at, parameters }: Call): Promise<object> {
  const conversion = await findConversion(books, parameters['id'] ?? '')
  if (conversion === undefined) {
    throw notFound('conversion')
  }
  return { ...amountOf(conversion, lossOf(conversion)), event_date_time: printInstant(at) }
}

export async function cancelConversion({ context, books, at, parameters }: Call): Promise<object> {
  const conversion = await lockConversion(books, parameters['id'] ?? '')
  if (conversion === undefined) {
    throw notFound('conversion')
  }
  if (conversion.status === 'trade_settled' || conversion.status === 'closed') {
    throw refused(
      'conversion_cancel_failed',
      'base',
      'conversion_cannot_be_cancelled',
      `The conversion is ${conversion.status} and cannot be cancelled`,
    )
  }
  if (context.faults.take('refuse-cancelling') !== undefined) {
    const message = 'The conversion cannot be cancelled at the moment'
    throw refused('conversion_cancel_failed', 'base', 'conversion_cancellation_failed', message)
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
  const shown = showConversion(cancelled, NOTHING_PAID)
  await keepNotice(books, { type: 'conversion/trade_closed', body: shown, at })
  return eventOf(cancelled)
}

/** Profits and losses of cancelled conversions; there are no others here. */
export async function findProfitAndLoss({ books, parameters }: Call): Promise<object> {
  const { conversion_id, event_type = EVENT_TYPE } = parameters
  const page = pageOf(parameters)
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
    ...amountOf(conversion, conversion.loss_minor ?? 0n),
    notes: conversion.cancel_notes ?? '',
    event_date_time: printInstant(conversion.updated_at),
  }
}

function amountOf({ sell_currency }: Conversion, loss: bigint): object {
  return { amount: printAmount(-loss, sell_currency), currency: sell_currency }
}

function lossOf({ sell_minor }: Conversion): bigint {
  return (2n * sell_minor * LOSS_PER_100_000 + 100_000n) / 200_000n
}
