/** Withdraws at its bank what that holds of a payroll which is not to be carried out. */
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { Context } from '../context.ts'
import { noteWithdrawn } from '../orders/find-payments.ts'
import type { HeldPayment } from '../orders/payment.ts'
import { atBank, followPayment } from '../payments/follow-payment.ts'
import { isLapseOld } from '../payments/note-lapsed.ts'
import { ordersToEnd } from '../payments/payroll-order/placing-progress.ts'
import { withdrawOrder } from '../payments/withdraw-unsigned.ts'
import { listOthersOrders } from './cancellations/order-reservation-store.ts'
import type { Payroll } from './payroll.ts'

/** As many at a time; the rest of a bank's places belongs to users who wait. */
const ORDERS_AT_ONCE = 4

/** How many orders of a payroll are not withdrawn. */
export type LeftAtBank = {
  /** Whether the bank holds them is not known. */
  readonly unknown: number
  /** They are asked for again. */
  readonly open: number
  /** They may be paid: these open ones, those that the bank leaves to people, and those that are under way or carried out. */
  readonly there: number
}

/** Orders that somebody is signing or cancelling just now are left alone. */
export async function withdrawPayroll(context: Context, payroll: Payroll): Promise<LeftAtBank> {
  const key = { partnerId: payroll.partnerId, payrollId: payroll.id }
  const others = await listOthersOrders(context.database, payroll, context.clock.real())
  const forPeople = new Set<string>()
  const queue = (await ordersToEnd(context, key)).toWithdraw.filter(({ id }) => !others.has(id)).values()
  const takeTurns = async () => {
    for (const order of queue) {
      if (await isForPeople(context, order)) {
        forPeople.add(order.id)
      }
    }
  }
  await Promise.all(Array.from({ length: ORDERS_AT_ONCE }, takeTurns))
  const { unknown, toWithdraw, there } = await ordersToEnd(context, key)
  const open = toWithdraw.filter(({ id }) => !forPeople.has(id))
  return { unknown: unknown.length, open: open.length, there: there.length }
}

/** A bank that cannot be asked is asked again; one that refuses is told of to people, whose task it is then. */
async function isForPeople(context: Context, order: HeldPayment): Promise<boolean> {
  if (order.withdrawnAt !== null) {
    // The bank took that, and does not show it yet.
    await followPayment(context, order)
    return false
  }
  try {
    const said = await withdrawOrder(context, await atBank(context, order), order)
    if (said === 'gone') {
      await noteGone(context, order)
    }
    return said === 'for-people'
  } catch (error) {
    if (!(error instanceof BankRefusal)) {
      throw error
    }
    context.log.warn({ paymentId: order.id, refusal: error.kind }, 'an order of a payroll could not be withdrawn yet')
    return false
  }
}

/** An order that the bank has let lapse is as good as withdrawn, once that is certain: nobody places it again. */
async function noteGone(context: Context, order: HeldPayment): Promise<void> {
  const now = context.clock.now()
  if (isLapseOld(order, now)) {
    await noteWithdrawn(context, order)
    await followPayment(context, { ...order, withdrawnAt: now })
  } else {
    await followPayment(context, order)
  }
}
