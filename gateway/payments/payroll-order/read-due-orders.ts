/** Reads the orders of a payroll whose next reading is due at their bank; of many who ask at once, one reads. */
import type { Context } from '../../context.ts'
import { isFinal, type Payment, type PayrollPayment } from '../../orders/payment.ts'
import { ordersOfPayroll } from '../../orders/payroll/list-payroll-orders.ts'
import type { PayrollKey } from '../../orders/payroll/payroll-order.ts'
import { claimRead } from '../../orders/status/payment-status-store.ts'
import { followPayment } from '../follow-payment.ts'

/** Longer than a read at a bank may take. */
const READ_LEASE = { minutes: 3 }

/** Whoever asks waits for so many at most; the worker reads the others. */
const ORDERS_MAX = 10

/** A bank is asked about so many payouts one by one while somebody waits. */
const ASKED_FOR_MAX = 100

/** Those that are due longest come first. */
export async function readDueOrders(context: Context, key: PayrollKey): Promise<void> {
  const orders = (await ordersOfPayroll(context, key)).filter((order) => isDue(context, order) && !isInParts(order))
  const longest = orders.toSorted((one, other) => pollOf(one) - pollOf(other)).slice(0, ORDERS_MAX)
  await Promise.all(longest.map((order) => readIfFree(context, order)))
}

function isDue({ clock }: Context, order: Payment): boolean {
  return order.pollAt !== null && !isFinal(order) && Temporal.Instant.compare(order.pollAt, clock.now()) <= 0
}

/** To ask a bank about each of many payouts takes longer than whoever asks would wait: that is the worker's. */
function isInParts({ ordered, bankStatus }: PayrollPayment): boolean {
  return ordered.count > ASKED_FOR_MAX && bankStatus === 'PART'
}

function pollOf({ pollAt }: Payment): number {
  return pollAt?.epochMilliseconds ?? 0
}

async function readIfFree(context: Context, order: Payment): Promise<void> {
  const { clock, database } = context
  const [now, real] = [clock.now(), clock.real()]
  if (await claimRead(database, order, { now, real, leaseUntil: real.add(READ_LEASE) })) {
    await followPayment(context, order)
  }
}
