/** Sees to a basket whose time has come: nothing that nobody will sign stays tied together at its bank. */
import type { Context } from '../context.ts'
import { findApproval } from './approval-store.ts'
import type { Basket } from './baskets/basket.ts'
import { setBasketDue } from './baskets/basket-store.ts'
import { loseBasket } from './baskets/mark-basket-unknown.ts'
import { dropBasket, isUnsigned, noteIfSigned } from './drop-basket.ts'

/** While its approval is open, it is looked after this often; the end of an approval drops it at once. */
const LOOK_AGAIN = { minutes: 1 }

/** Sets the next time. */
export async function lookAfterBasket(context: Context, basket: Basket): Promise<void> {
  const { database, clock } = context
  if (basket.state === 'asked') {
    // The process that asked has died: the bank may hold a basket whose id nobody knows.
    context.log.warn({ basketId: basket.id }, 'it is not known whether a bank holds a basket')
    await loseBasket(context, basket)
    return
  }
  const approval = await findApproval(database, { partnerId: basket.partnerId, id: basket.approvalId })
  if (!isUnsigned(basket)) {
    await setBasketDue(database, basket, null)
  } else if (approval?.status === 'STARTED') {
    await setBasketDue(database, basket, clock.now().add(LOOK_AGAIN))
  } else if (!(await dropBasket(context, basket))) {
    await noteIfSigned(context, basket)
  }
}
