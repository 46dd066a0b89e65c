/** Schedules the sweep over baskets, which deletes unsigned ones at their banks and records unanswered ones as lost. */
import { callSecondsMax } from '../banks/transport/bank-call-limits.ts'
import type { Context } from '../context.ts'
import type { RowKey } from '../platform/jobs/due-row-scan.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { findBasket } from './baskets/basket-store.ts'
import { maintainBasket } from './baskets/maintain-basket.ts'

/** The basket, and its payments if it is not deleted; those are polled concurrently. */
const CALLS_PER_BASKET_MAX = 4
/** Margin for our own database statements. */
const OWN_SECONDS = 30

const baskets = {
  name: 'signing baskets',
  table: 'approval_baskets',
  partition: 'bic',
  column: 'due_at',
  time: 'business',
} as const

export function basketSweep(context: Context): Sweep {
  const leaseSeconds = CALLS_PER_BASKET_MAX * callSecondsMax(context.config) + OWN_SECONDS
  return dueRowSweep(context, { ...baskets, leaseSeconds }, (key) => maintain(context, key))
}

async function maintain(context: Context, key: RowKey): Promise<void> {
  const basket = await findBasket(context.database, key)
  if (basket !== undefined) {
    await maintainBasket(context, basket)
  }
}
