/** Polls those orders of a request that are due at their bank; of concurrent requests only one polls. */

import type { Context } from '../../context.ts'
import { leaseFor } from '../../platform/jobs/lease.ts'
import { transactionsOf } from '../instruction.ts'
import { isFinal, type Payment } from '../payment.ts'
import { acquirePollLease } from '../store/payment-status-store.ts'
import { pollPayment } from './poll-payment.ts'

/** Longer than a poll at a bank may take. */
const READ_LEASE = { minutes: 3 }

/** A request waits for this many polls at most; the worker polls the other orders. */
const ORDERS_MAX = 10

/** The maximum number of transactions that are read one by one during a request. */
const READ_INDIVIDUALLY_MAX = 100

/** Polls the orders that have been due longest; returns those that were polled, as they are now. */
export async function pollDueOrders(context: Context, orders: readonly Payment[]): Promise<readonly Payment[]> {
  const due = orders.filter((order) => isDue(context, order) && !isReadIndividually(order))
  const longest = due.toSorted((one, other) => pollTimeOf(one) - pollTimeOf(other)).slice(0, ORDERS_MAX)
  const polled = longest.map(async (order) => {
    const isLeased = await acquirePollLease(context, order, leaseFor(context, READ_LEASE))
    return isLeased ? [await pollPayment(context, order)] : []
  })
  return (await Promise.all(polled)).flat()
}

function isDue({ clock }: Context, order: Payment): boolean {
  return order.pollAt !== null && !isFinal(order) && Temporal.Instant.compare(order.pollAt, clock.now()) <= 0
}

/** Reading many transactions one by one takes too long for a request and is left to the worker. */
function isReadIndividually(order: Payment): boolean {
  return (transactionsOf(order)?.count ?? 1) > READ_INDIVIDUALLY_MAX && order.bankStatus === 'PART'
}

function pollTimeOf({ pollAt }: Payment): number {
  return pollAt?.epochMilliseconds ?? 0
}
