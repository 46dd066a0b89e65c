/** Looks after baskets at banks: those that end unsigned are untied, those whose bank never answered are noted as lost. */
import { callSecondsMax } from '../banks/transport/call-seconds-max.ts'
import type { Context } from '../context.ts'
import type { RowKey } from '../foundation/due-rows.ts'
import { dueSweep } from '../foundation/due-sweep.ts'
import type { Sweep } from '../foundation/sweep.ts'
import { findBasket } from './baskets/basket-store.ts'
import { lookAfterBasket } from './look-after-basket.ts'

/** The basket, and each of its payments when it is not untied; those are read beside each other. */
const CALLS_PER_BASKET_MAX = 4
/** What our own statements may add to the bank's time. */
const OWN_SECONDS = 30

const baskets = {
  name: 'baskets',
  table: 'approval_baskets',
  share: 'bic',
  column: 'due_at',
  time: 'business',
} as const

/** The sweep over baskets. */
export function basketSweep(context: Context): Sweep {
  const leaseSeconds = CALLS_PER_BASKET_MAX * callSecondsMax(context.config) + OWN_SECONDS
  return dueSweep(context, { ...baskets, leaseSeconds }, (key) => lookAfter(context, key))
}

async function lookAfter(context: Context, key: RowKey): Promise<void> {
  const basket = await findBasket(context.database, key)
  if (basket !== undefined) {
    await lookAfterBasket(context, basket)
  }
}
