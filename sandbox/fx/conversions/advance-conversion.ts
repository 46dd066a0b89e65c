/** Advances a conversion: when it is funded, when it is due for settlement, and when it is paid out. */

import { changeBalance, sumPaidOut } from '../books/balance-store.ts'
import { sumReceivedFor } from '../books/conversion-store.ts'
import { findRow, updateRow } from '../books/rows.ts'
import type { BooksTransaction } from '../context.ts'
import { notifyConversion } from './conversion-response.ts'

/** Called for each receipt of funds; a conversion that is not fully funded does not change. */
export async function recordConversionFunded(books: BooksTransaction, id: string, at: Temporal.Instant): Promise<void> {
  const conversion = await findRow(books, 'conversions', id, { lock: true })
  if (conversion?.status !== 'awaiting_funds' || (await sumReceivedFor(books, id)) < conversion.sell_minor) {
    return
  }
  const isLate = Temporal.Instant.compare(conversion.settles_at, at) < 0
  const funded = await updateRow(books, 'conversions', conversion, {
    status: 'funds_arrived',
    updated_at: at,
    due_at: isLate ? at : conversion.settles_at,
  })
  await notifyConversion(books, 'funds_arrived', funded, at)
}

export async function settleConversion(books: BooksTransaction, id: string, at: Temporal.Instant): Promise<void> {
  const conversion = await findRow(books, 'conversions', id, { lock: true })
  if (conversion?.status !== 'funds_arrived') {
    return
  }
  const settled = await updateRow(books, 'conversions', conversion, {
    status: 'trade_settled',
    updated_at: at,
    due_at: null,
  })
  const entity = { type: 'conversion', id, reference: conversion.short_reference } as const
  const change = { entity, action: 'conversion', at } as const
  await changeBalance(books, { ...change, currency: conversion.sell_currency, minor: -conversion.sell_minor })
  await changeBalance(books, { ...change, currency: conversion.buy_currency, minor: conversion.buy_minor })
  await notifyConversion(books, 'trade_settled', settled, at)
}

/** Closes the conversion when everything that it bought has been paid out. */
export async function closeIfPaidOut(books: BooksTransaction, id: string, at: Temporal.Instant): Promise<void> {
  const conversion = await findRow(books, 'conversions', id, { lock: true })
  const paidOut = await sumPaidOut(books, id)
  if (conversion?.status === 'trade_settled' && paidOut.completedMinor >= conversion.buy_minor) {
    const closed = await updateRow(books, 'conversions', conversion, { status: 'closed', updated_at: at })
    await notifyConversion(books, 'trade_closed', closed, at)
  }
}
