/** Polls the orders of a payroll that are due at their bank; concurrent requests share one poll. */

import type { Context } from '../../context.ts'
import { leaseFor } from '../../platform/jobs/lease.ts'
import { listPayrollOrders } from '../find-orders.ts'
import { isFinal, type Payment, type PayrollPayment } from '../payment.ts'
import type { PayrollKey } from '../payroll-order.ts'
import { acquirePollLease } from '../store/payment-status-store.ts'
import { pollPayment } from './poll-payment.ts'

/** Longer than a poll at a bank may take. */
const READ_LEASE = { minutes: 3 }

/** A request waits for this many polls at most; the worker polls the other orders. */
const ORDERS_MAX = 10

/** The maximum number of transactions that are read one by one during a request. */
const READ_INDIVIDUALLY_MAX = 100

/** Polls the orders that have been due longest. */
export async function pollDuePayrollOrders(context: Context, key: PayrollKey): Promise<void> {
  const orders = (await listPayrollOrders(context, key)).filter(
    (order) => isDue(context, order) && !isReadIndividually(order),
  )
  const longest = orders.toSorted((one, other) => pollTimeOf(one) - pollTimeOf(other)).slice(0, ORDERS_MAX)
  await Promise.all(longest.map((order) => pollIfUnleased(context, order)))
}

function isDue({ clock }: Context, order: Payment): boolean {
  return order.pollAt !== null && !isFinal(order) && Temporal.Instant.compare(order.pollAt, clock.now()) <= 0
}

/** Reading many transactions one by one takes too long for a request and is left to the worker. */
function isReadIndividually({ ordered, bankStatus }: PayrollPayment): boolean {
  return ordered.count > READ_INDIVIDUALLY_MAX && bankStatus === 'PART'
}

function pollTimeOf({ pollAt }: Payment): number {
  return pollAt?.epochMilliseconds ?? 0
}

async function pollIfUnleased(context: Context, order: Payment): Promise<void> {
  if (await acquirePollLease(context, order, leaseFor(context, READ_LEASE))) {
    await pollPayment(context, order)
  }
}
