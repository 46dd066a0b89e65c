/** Follows payments at their banks, and takes up intents whose process died before the bank's answer was kept. */
import { callSecondsMax } from '../banks/transport/call-seconds-max.ts'
import type { Context } from '../context.ts'
import type { RowKey } from '../foundation/due-rows.ts'
import { dueSweep } from '../foundation/due-sweep.ts'
import type { Sweep } from '../foundation/sweep.ts'
import { giveUpExchange } from '../payments/exchange/give-up-exchange.ts'
import { followFormerOrder } from '../payments/follow-former-order.ts'
import { followPayment } from '../payments/follow-payment.ts'
import { postponeReading } from '../payments/postpone-reading.ts'
import { findPayment } from './payment-store.ts'
import { giveUp } from './submission/fail-submission.ts'

/** An overdue order is read, withdrawn and read again. */
const CALLS_PER_PAYMENT_MAX = 3
/** What our own statements may add to the bank's time. */
const OWN_SECONDS = 30
/** A bank that is left alone is not asked by those who can wait. */
const WHILE_PAUSED = { leastSeconds: 5, mostSeconds: 3600 }

/** Which payments wait to be read. */
export const polling = {
  table: 'payments',
  share: 'bic',
  name: 'payments polling',
  column: 'poll_at',
  time: 'business',
  toleranceMilliseconds: 900_000,
} as const
const recovering = { ...polling, name: 'payments recovering', column: 'recover_at', time: 'wall' } as const
/** Orders that were placed again. */
const lookingAfter = { ...polling, table: 'lapsed_orders', name: 'former orders' } as const

/** The sweeps over payments. */
export function paymentSweeps(context: Context): readonly Sweep[] {
  const leaseSeconds = leaseSecondsOf(context)
  return [
    dueSweep(context, { ...polling, leaseSeconds }, (key) => follow(context, key)),
    dueSweep(context, { ...recovering, leaseSeconds }, (key) => recover(context, key)),
    dueSweep(context, { ...lookingAfter, leaseSeconds }, (key) => followFormerOrder(context, key)),
  ]
}

/** Longer than following a payment at its bank may take. */
function leaseSecondsOf({ config }: Pick<Context, 'config'>): number {
  return CALLS_PER_PAYMENT_MAX * callSecondsMax(config) + OWN_SECONDS
}

async function follow(context: Context, key: RowKey): Promise<void> {
  const payment = await findPayment(context.database, key)
  if (payment === undefined) {
    return
  }
  if (await context.banks.isPaused(payment.bic)) {
    await postponeReading(context, payment, WHILE_PAUSED)
  } else {
    await followPayment(context, payment)
  }
}

async function recover(context: Context, key: RowKey): Promise<void> {
  const payment = await findPayment(context.database, key)
  if (payment === undefined) {
    return
  }
  const { partnerId, id: paymentId, bankRequestId, exchange } = payment
  const intent = { partnerId, paymentId, bankRequestId }
  if (exchange === 'booking' || exchange === 'broken') {
    await giveUpExchange(context, intent, 'the process that booked its exchange ended', 'recovery')
  } else {
    await giveUp(context, intent, 'unknown', 'the process that asked ended')
  }
}
