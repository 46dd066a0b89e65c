/** Notes that nobody knows whether a bank holds a basket, and tells people: nothing of ours can untie it. */
import type { Context } from '../../context.ts'
import { raiseTask } from '../../operators/raise-task.ts'
import type { Basket } from './basket.ts'
import { type BasketKey, listBasketPayments, moveBasket } from './basket-store.ts'

/** False when its answer came after all. */
export async function loseBasket(
  context: Context,
  basket: BasketKey & Pick<Basket, 'bic' | 'bankRequestId'>,
): Promise<boolean> {
  if (!(await moveBasket(context.database, basket, { state: 'lost', dueAt: null }))) {
    return false
  }
  const laid = await listBasketPayments(context.database, basket)
  const [first] = laid
  if (first !== undefined) {
    const { partnerId, bic: bank, bankRequestId, id: basketId } = basket
    const detail = { bank, basketId, bankRequestId, bankPaymentIds: laid.map(({ bankPaymentId }) => bankPaymentId) }
    const subject = { partnerId, kind: 'LostBasket', subjectType: 'payment', subjectId: first.paymentId } as const
    await raiseTask(context, { ...subject, detail })
  }
  return true
}
