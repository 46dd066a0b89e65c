/** Advances a conversion: when it is funded, when it is due for settlement, and when it is paid out. */

import { findRow, updateRow } from '../../rows.ts'
import { changeBalance, sumPaidOut } from '../books/balance-store.ts'
import { sumReceivedFor } from '../books/conversion-store.ts'
import type { Context } from '../context.ts'
import { notifyConversion } from './conversion-response.ts'

/** Called for each receipt of funds; a conversion that is not fully funded does not change. */
export async function recordConversionFunded(context: Context, id: string, at: Temporal.Instant): Promise<void> {
  const conversion = await findRow(context, 'conversions', { id }, { lock: true })
  if (conversion?.status !== 'awaiting_funds' || (await sumReceivedFor(context, id)) < conversion.sell_minor) {
    return
  }
  const isLate = Temporal.Instant.compare(conversion.settles_at, at) < 0
  const funded = await updateRow(context, 'conversions', conversion, {
    status: 'funds_arrived',
    updated_at: at,
    due_at: isLate ? at : conversion.settles_at,
  })
  await notifyConversion(context, 'funds_arrived', funded, at)
}

export async function settleConversion(context: Context, id: string, at: Temporal.Instant): Promise<void> {
  const conversion = await findRow(context, 'conversions', { id }, { lock: true })
  if (conversion?.status !== 'funds_arrived') {
    return
  }
  const settled = await updateRow(context, 'conversions', conversion, {
    status: 'trade_settled',
    updated_at: at,
    due_at: null,
  })
  const entity = { type: 'conversion', id, reference: conversion.short_reference } as const
  const change = { entity, action: 'conversion', at } as const
  await changeBalance(context, { ...change, currency: conversion.sell_currency, minor: -conversion.sell_minor })
  await changeBalance(context, { ...change, currency: conversion.buy_currency, minor: conversion.buy_minor })
  await notifyConversion(context, 'trade_settled', settled, at)
}

/** Closes the conversion when everything that it bought has been paid out. */
export async function closeIfPaidOut(context: Context, id: string, at: Temporal.Instant): Promise<void> {
  const conversion = await findRow(context, 'conversions', { id }, { lock: true })
  const paidOut = await sumPaidOut(context, id)
  if (conversion?.status === 'trade_settled' && paidOut.completedMinor >= conversion.buy_minor) {
    const closed = await updateRow(context, 'conversions', conversion, { status: 'closed', updated_at: at })
    await notifyConversion(context, 'trade_closed', closed, at)
  }
}
