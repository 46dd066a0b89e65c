/** Records the outcome of a booking, and reschedules the inbound funds that waited for it. */
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { rescheduleEarlyFunds } from '../funding/inbound-funds-store.ts'
import type { Conversion } from '../providers/conversion.ts'
import type { Deal } from './deal.ts'
import { findDealById } from './deal-store.ts'
import { settleDealTask } from './raise-deal-task.ts'
import { transitionDeal } from './transition-deal.ts'

/** Records the conversion. A deal that is to be cancelled, or was not booked as quoted, is cancelled at once. */
export async function recordBooked(context: Context, deal: Deal, conversion: Conversion): Promise<Deal> {
  const isQuoted = isSame(conversion.buy, deal.quote.buy) && isSame(conversion.sell, deal.quote.sell)
  if (!isQuoted) {
    context.log.error({ dealId: deal.id }, 'the provider booked other amounts than it quoted; cancelling the deal')
  }
  const { clock } = context
  return await inTransaction(context, async (context) => {
    const current = await findDealById(context.database, deal, { lock: true })
    const isLate = current?.state === 'failed'
    const cancelReason = current?.cancelReason ?? (isQuoted && !isLate ? null : 'given-up')
    const detail = { conversion: conversion.id }
    const unbooked = isLate || current?.state === 'booking' ? current : undefined
    const moved =
      unbooked && (await transitionDeal(context, unbooked, { state: 'booked', conversionId: conversion.id, detail }))
    if (moved === undefined) {
      return current ?? deal
    }
    await rescheduleEarlyFunds(context.database, deal, clock.now())
    await settleDealTask(context, deal, 'DealNotBooked', 'the provider reports that the conversion is booked')
    const cancelling = cancelReason && { state: 'cancelling' as const, reason: cancelReason, unwindAt: clock.now() }
    return (
      (cancelling && (await transitionDeal(context, moved, { ...cancelling, detail: { reason: cancelReason } }))) ??
      moved
    )
  })
}

/** Records that certainly nothing is booked. */
export async function recordNotBooked(context: Context, deal: Deal, reason: string): Promise<Deal> {
  const { clock } = context
  return await inTransaction(context, async (context) => {
    const moved = await transitionDeal(context, deal, { state: 'failed', reason, detail: { reason } })
    await rescheduleEarlyFunds(context.database, deal, clock.now())
    await settleDealTask(context, deal, 'DealNotBooked', 'the provider reports that no conversion is booked')
    return moved ?? (await findDealById(context.database, deal)) ?? deal
  })
}

function isSame(one: Conversion['buy'], other: Conversion['buy']): boolean {
  return one.minor === other.minor && one.currency === other.currency
}
