/** Keeps what became of a booking, and has everything take its course that waited for it. */
import type { Context } from '../context.ts'
import { atomically } from '../platform/database/in-transaction.ts'
import type { Deal } from './deals/deal.ts'
import { findDealById } from './deals/deal-store.ts'
import { settleDealTask } from './deals/raise-deal-task.ts'
import { type Moving, moveDeal } from './deals/transition-deal.ts'
import { judgeReceiptsAnew } from './funding/inbound-funds-store.ts'
import type { Conversion } from './providers/conversion.ts'

type Keeping = Moving & Pick<Context, 'log'>

/** The deal is booked; one that nobody wants any more, or that is not what was quoted, is undone at once. */
export async function keepBooked(context: Keeping, deal: Deal, conversion: Conversion): Promise<Deal> {
  const isQuoted = isSame(conversion.buy, deal.quote.buy) && isSame(conversion.sell, deal.quote.sell)
  if (!isQuoted) {
    context.log.error({ dealId: deal.id }, 'a provider booked other amounts than it had quoted; the deal is undone')
  }
  const { clock } = context
  return await atomically(context.database, async (database) => {
    const within = { database, clock }
    const standing = await findDealById(database, deal, { lock: true })
    const isLate = standing?.state === 'failed'
    const unwanted = standing?.unwanted ?? (isQuoted && !isLate ? null : 'given-up')
    const detail = { conversion: conversion.id }
    const unbooked = isLate || standing?.state === 'booking' ? standing : undefined
    const moved =
      unbooked && (await moveDeal(within, unbooked, { state: 'booked', conversionId: conversion.id, detail }))
    if (moved === undefined) {
      return standing ?? deal
    }
    await judgeReceiptsAnew(database, deal, clock.now())
    await settleDealTask(within, deal, 'DealNotBooked', 'the provider says that it is booked')
    const broken = unwanted && { state: 'breaking' as const, reason: unwanted, breakAt: clock.now() }
    return (broken && (await moveDeal(within, moved, { ...broken, detail: { reason: unwanted } }))) ?? moved
  })
}

/** Nothing is booked, for certain. */
export async function keepNotBooked(context: Moving, deal: Deal, reason: string): Promise<Deal> {
  const { clock } = context
  return await atomically(context.database, async (database) => {
    const moved = await moveDeal({ database, clock }, deal, { state: 'failed', reason, detail: { reason } })
    await judgeReceiptsAnew(database, deal, clock.now())
    await settleDealTask({ database, clock }, deal, 'DealNotBooked', 'the provider says that it is not booked')
    return moved ?? (await findDealById(database, deal)) ?? deal
  })
}

function isSame(one: Conversion['buy'], other: Conversion['buy']): boolean {
  return one.minor === other.minor && one.currency === other.currency
}
