/** What an authorisation needs of a signing basket. */
import type { ScaTarget } from '../authorisations/sca-target.ts'
import type { BankTransaction, Context } from '../context.ts'
import { basketPath, isWaiting } from '../payments/basket.ts'
import { lockBasket, lockPaymentsIn, updateBasket } from '../payments/basket-store.ts'
import { maySign } from '../payments/payment.ts'
import { findCommonSigners, payerRejection, signLate } from '../payments/payment-sca-target.ts'
import { signBasket } from './end-basket.ts'

export async function lockBasketTarget(
  context: Context,
  transaction: BankTransaction,
  id: string,
): Promise<ScaTarget | undefined> {
  const basket = await lockBasket(transaction, id)
  if (basket === undefined) {
    return undefined
  }
  const payments = await lockPaymentsIn(transaction, id)
  const open = payments.filter(maySign)
  return {
    resource: basket,
    path: basketPath(basket),
    isOpen: isWaiting(basket) && open.length > 0,
    signedBy: await findCommonSigners(transaction, open),
    requireStartable: async () => undefined,
    rejectionReason: (user) => payerRejection(context, payments, user),
    storeNotificationTarget: (change) => updateBasket(transaction, id, change),
    approve: ({ at }) => signBasket(context, transaction, { basket, payments }, at),
    signInNetbank: (userId) => signLate(context, transaction, payments, userId),
  }
}
