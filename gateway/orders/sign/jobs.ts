/** Schedules the sweep over baskets, which deletes unsigned ones at their banks and records unanswered ones as lost. */
import { callSecondsMax } from '../../banks/transport/bank-call-limits.ts'
import type { Context } from '../../context.ts'
import { dueRowSweep } from '../../platform/jobs/due-row-sweep.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { findApproval } from './approval-store.ts'
import { deleteBasket, isUnsignedBasket, markBasketUnknown, recordIfBasketSigned } from './baskets/bank-basket.ts'
import type { Basket } from './baskets/basket.ts'
import { findBasket, scheduleBasket } from './baskets/basket-store.ts'

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
  return dueRowSweep(context, { ...baskets, leaseSeconds }, async (key) => {
    const basket = await findBasket(context.database, key)
    await (basket && maintainBasket(context, basket))
  })
}

/** The interval while its approval is open; the end of the approval deletes the basket at once. */
const POLL_AGAIN_AFTER = { minutes: 1 }

/** Also schedules the next run. */
export async function maintainBasket(context: Context, basket: Basket): Promise<void> {
  const { database, clock } = context
  if (basket.state === 'in-flight') {
    // The creating process has crashed: the bank may have a basket whose id is unknown.
    context.log.warn({ basketId: basket.id }, 'it is unknown whether a bank has created a basket')
    await markBasketUnknown(context, basket)
    return
  }
  const approval = await findApproval(database, { partnerId: basket.partnerId, id: basket.approvalId })
  if (!isUnsignedBasket(basket)) {
    await scheduleBasket(database, basket, null)
  } else if (approval?.status === 'STARTED') {
    await scheduleBasket(database, basket, clock.now().add(POLL_AGAIN_AFTER))
  } else if (!(await deleteBasket(context, basket))) {
    await recordIfBasketSigned(context, basket)
  }
}
