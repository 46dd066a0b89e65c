/** Ends baskets: deletes unsigned ones at their banks, records signed ones, and reports those that may exist at a bank. */
import { BankError, retryAfterOf } from '../../../banks/connector/bank-error.ts'
import type { Context } from '../../../context.ts'
import { raiseTask } from '../../../operators/raise-task.ts'
import { nextAttemptAt } from '../../../platform/jobs/retry-backoff.ts'
import { findOrdersOf } from '../../find-orders.ts'
import { isOpenForSigning } from '../../payment.ts'
import { pollPayment } from '../../status/poll-payment.ts'
import { requireSigner, signerContext } from '../signer-context.ts'
import type { Basket, BasketAtBank } from './basket.ts'
import {
  type BasketKey,
  changeBasketState,
  listBasketPayments,
  listBasketsOfApproval,
  scheduleBasket,
} from './basket-store.ts'

const DELETE_RETRY_DELAY = { leastSeconds: 10, mostSeconds: 3600 }

/** Returns whether the bank has deleted it. After an error of the bank, a sweep retries. */
export async function deleteBasket(context: Context, basket: BasketAtBank): Promise<boolean> {
  const { database, clock } = context
  try {
    const { connector, caller } = await signerContext(context, await requireSigner(context, basket))
    await connector.baskets?.drop(caller, basket.bankBasketId)
    await changeBasketState(database, basket, { state: 'void', dueAt: null })
    return true
  } catch (error) {
    if (!(error instanceof BankError)) {
      throw error
    }
    context.log.info(
      { basketId: basket.id, errorKind: error.kind },
      'deleting a basket at its bank failed; the sweep retries it',
    )
    const again = nextAttemptAt(basket.createdAt, clock.now(), DELETE_RETRY_DELAY, retryAfterOf(error))
    await scheduleBasket(database, basket, again)
    return false
  }
}

/** Deletes the unsigned baskets of an approval that has ended or was never stored. */
export async function deleteBasketsOfApproval(
  context: Context,
  approval: Pick<Basket, 'partnerId' | 'approvalId'>,
): Promise<void> {
  for (const basket of await listBasketsOfApproval(context.database, approval)) {
    if (isUnsignedBasket(basket)) {
      await deleteBasket(context, basket)
    }
  }
}

/** Whether the bank has the basket and no signature is known. */
export function isUnsignedBasket(basket: Basket): basket is BasketAtBank {
  return basket.state === 'unsigned' && basket.bankBasketId !== null
}

/** Detects by the status of the orders that the basket was signed at the bank, which then never deletes it. */
export async function recordIfBasketSigned(context: Context, basket: BasketAtBank): Promise<boolean> {
  const basketPayments = await listBasketPayments(context.database, basket)
  const found = await findOrdersOf(
    context,
    basket.partnerId,
    basketPayments.map(({ paymentId }) => paymentId),
  )
  const bankIds = new Set(basketPayments.map(({ bankPaymentId }) => bankPaymentId))
  const unchanged = found.filter(({ bankPaymentId }) => bankPaymentId !== null && bankIds.has(bankPaymentId))
  const polled = await Promise.all(unchanged.map((payment) => pollPayment(context, payment)))
  const isSigned = polled.every((payment) => !isOpenForSigning(payment) || payment.statusReason === 'PartlySigned')
  return isSigned && (await changeBasketState(context.database, basket, { state: 'signed', dueAt: null }))
}

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
