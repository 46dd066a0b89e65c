/** Processes a due basket: deletes it at the bank if its approval is not open, and reports it if its creation is uncertain. */
import type { Context } from '../../context.ts'
import { findApproval } from '../approval-store.ts'
import type { Basket } from './basket.ts'
import { scheduleBasket } from './basket-store.ts'
import { deleteBasket, isUnsignedBasket, recordIfBasketSigned } from './delete-basket.ts'
import { markBasketUnknown } from './mark-basket-unknown.ts'

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
