/** Follows payments at their banks, and takes up intents whose process died before the bank's answer was kept. */
import type { Context } from '../context.ts'
import { dueSweep, type RowKey } from '../foundation/due-sweep.ts'
import { retryAt } from '../foundation/retry-delay.ts'
import type { Sweep } from '../foundation/sweeps.ts'
import { followPayment } from './follow-payment.ts'
import { giveUp } from './give-up-intent.ts'
import { findPayment } from './payment-store.ts'
import { postponePoll } from './status-store.ts'

/** Longer than any read at a bank may take. */
const LEASE_SECONDS = 90
/** A bank that is left alone is not asked by those who can wait. */
const WHILE_PAUSED = { leastSeconds: 5, mostSeconds: 3600 }

const payments = { table: 'payments', leaseSeconds: LEASE_SECONDS }
const polling = { ...payments, name: 'payments polling', column: 'poll_at', time: 'business' } as const
const recovering = { ...payments, name: 'payments recovering', column: 'recover_at', time: 'wall' } as const

/** The sweeps over payments. */
export function paymentSweeps(context: Context): readonly Sweep[] {
  return [
    dueSweep(context, polling, (key) => follow(context, key)),
    dueSweep(context, recovering, (key) => recover(context, key)),
  ]
}

async function follow(context: Context, key: RowKey): Promise<void> {
  const payment = await findPayment(context.database, key)
  if (payment === undefined) {
    return
  }
  if (await context.banks.isPaused(payment.bic)) {
    const pollAt = retryAt(payment.statusAt, context.clock.now(), WHILE_PAUSED)
    await postponePoll(context.database, payment, { pollAt, pollStep: payment.pollStep })
  } else {
    await followPayment(context, payment)
  }
}

async function recover(context: Context, key: RowKey): Promise<void> {
  const payment = await findPayment(context.database, key)
  if (payment !== undefined) {
    const { partnerId, id: paymentId, bankRequestId } = payment
    await giveUp(context, { partnerId, paymentId, bankRequestId }, 'unknown', 'the process that asked ended')
  }
}
