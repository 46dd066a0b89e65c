/** Records that it is unknown whether the bank has a basket, and raises an operator task: without its id, we cannot delete it. */
import type { Context } from '../../context.ts'
import { raiseTask } from '../../operators/raise-task.ts'
import type { Basket } from './basket.ts'
import { type BasketKey, changeBasketState, listBasketPayments } from './basket-store.ts'

/** Returns false if the answer of the bank has arrived after all. */
export async function markBasketUnknown(
  context: Context,
  basket: BasketKey & Pick<Basket, 'bic' | 'bankRequestId'>,
): Promise<boolean> {
  if (!(await changeBasketState(context.database, basket, { state: 'unknown', dueAt: null }))) {
    return false
  }
  const basketPayments = await listBasketPayments(context.database, basket)
  const [first] = basketPayments
  if (first !== undefined) {
    const { partnerId, bic: bank, bankRequestId, id: basketId } = basket
    const detail = {
      bank,
      basketId,
      bankRequestId,
      bankPaymentIds: basketPayments.map(({ bankPaymentId }) => bankPaymentId),
    }
    const subject = { partnerId, kind: 'LostBasket', subjectType: 'payment', subjectId: first.paymentId } as const
    await raiseTask(context, { ...subject, detail })
  }
  return true
}
