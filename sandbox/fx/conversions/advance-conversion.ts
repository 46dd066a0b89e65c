/** Advances a conversion: when it is funded, when it is due for settlement, and when it is paid out. */

import { changeBalance } from '../books/balance-store.ts'
import { lockConversion, updateConversion } from '../books/conversion-store.ts'
import { sumReceivedFor } from '../books/inbound-funds-store.ts'
import { makePaymentsDue, sumPaidOut } from '../books/payment-store.ts'
import type { BooksTransaction } from '../context.ts'
import { enqueueNotification } from '../notifications.ts'
import { conversionResponse } from './conversion-response.ts'

/** Called for each receipt of funds; a conversion that is not fully funded does not change. */
export async function recordConversionFunded(books: BooksTransaction, id: string, at: Temporal.Instant): Promise<void> {
  const conversion = await lockConversion(books, id)
  if (conversion?.status !== 'awaiting_funds' || (await sumReceivedFor(books, id)) < conversion.sell_minor) {
    return
  }
  const isLate = Temporal.Instant.compare(conversion.settles_at, at) < 0
  const funded = await updateConversion(books, conversion, {
    status: 'funds_arrived',
    updated_at: at.toString(),
    due_at: (isLate ? at : conversion.settles_at).toString(),
  })
  const body = conversionResponse(funded, await sumPaidOut(books, id))
  await enqueueNotification(books, { type: 'conversion/funds_arrived', body, at })
}

export async function settleConversion(books: BooksTransaction, id: string, at: Temporal.Instant): Promise<void> {
  const conversion = await lockConversion(books, id)
  if (conversion?.status !== 'funds_arrived') {
    return
  }
  const settled = await updateConversion(books, conversion, {
    status: 'trade_settled',
    updated_at: at.toString(),
    due_at: null,
  })
  const entity = { type: 'conversion', id, reference: conversion.short_reference } as const
  const change = { entity, action: 'conversion', at } as const
  await changeBalance(books, { ...change, currency: conversion.sell_currency, minor: -conversion.sell_minor })
  await changeBalance(books, { ...change, currency: conversion.buy_currency, minor: conversion.buy_minor })
  const body = conversionResponse(settled, await sumPaidOut(books, id))
  await enqueueNotification(books, { type: 'conversion/trade_settled', body, at })
  await makePaymentsDue(books, conversion.buy_currency, at)
}

/** Closes the conversion when everything that it bought has been paid out. */
export async function closeIfPaidOut(books: BooksTransaction, id: string, at: Temporal.Instant): Promise<void> {
  const conversion = await lockConversion(books, id)
  const paidOut = await sumPaidOut(books, id)
  if (conversion?.status === 'trade_settled' && paidOut.completedMinor >= conversion.buy_minor) {
    const closed = await updateConversion(books, conversion, { status: 'closed', updated_at: at.toString() })
    await enqueueNotification(books, { type: 'conversion/trade_closed', body: conversionResponse(closed, paidOut), at })
  }
}
