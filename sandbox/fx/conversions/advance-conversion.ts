/** Lets a conversion go on: once its money has arrived, and once its day has come. */

import { changeBalance } from '../funds/balance-store.ts'
import { arrivedFor } from '../funds/inbound-funds-store.ts'
import { keepNotice } from '../notifications/enqueue-notification.ts'
import { paidOutOf, wakePayments } from '../payouts/payment-store.ts'
import type { Books } from '../provider-context.ts'
import { showConversion } from './conversion-response.ts'
import { lockConversion, updateConversion } from './conversion-store.ts'

/** Called when money arrived for it; too little changes nothing. */
export async function conversionFunded(books: Books, id: string, at: Temporal.Instant): Promise<void> {
  const conversion = await lockConversion(books, id)
  if (conversion?.status !== 'awaiting_funds' || (await arrivedFor(books, id)) < conversion.sell_minor) {
    return
  }
  const isLate = Temporal.Instant.compare(conversion.settles_at, at) < 0
  const funded = await updateConversion(books, conversion, {
    status: 'funds_arrived',
    updated_at: at.toString(),
    due_at: (isLate ? at : conversion.settles_at).toString(),
  })
  const body = showConversion(funded, await paidOutOf(books, id))
  await keepNotice(books, { type: 'conversion/funds_arrived', body, at })
}

/** Changes the money when its time has come. */
export async function settleConversion(books: Books, id: string, at: Temporal.Instant): Promise<void> {
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
  const body = showConversion(settled, await paidOutOf(books, id))
  await keepNotice(books, { type: 'conversion/trade_settled', body, at })
  await wakePayments(books, conversion.buy_currency, at)
}

/** Closes it when everything that it bought has been paid. */
export async function closeIfPaidOut(books: Books, id: string, at: Temporal.Instant): Promise<void> {
  const conversion = await lockConversion(books, id)
  const paidOut = await paidOutOf(books, id)
  if (conversion?.status === 'trade_settled' && paidOut.completedMinor >= conversion.buy_minor) {
    const closed = await updateConversion(books, conversion, { status: 'closed', updated_at: at.toString() })
    await keepNotice(books, { type: 'conversion/trade_closed', body: showConversion(closed, paidOut), at })
  }
}
