/** Defines the job that decides on exchanges at their deadline and executes the decisions. */
import type { Context } from '../../context.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import { dueRowSweep } from '../../platform/jobs/due-row-sweep.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { postponeExchangeDecision } from '../store/exchange-store.ts'
import { findPayment } from '../store/payment-store.ts'
import {
  decideExchangeAtDeadline,
  exchangeDecisionSecondsMax,
  type PollScaSessions,
} from './decide-exchange-at-deadline.ts'

const deciding = {
  table: 'payments',
  partition: 'bic',
  name: 'exchange deadlines',
  column: 'decide_at',
  time: 'business',
} as const

/** Returns the due-row scan over exchanges; `pollScaSessions` runs before the poll of the order. */
export function exchangeSweep(context: Context, pollScaSessions: PollScaSessions): Sweep {
  return dueRowSweep(context, { ...deciding, leaseSeconds: exchangeDecisionSecondsMax(context) }, (key) =>
    decide(context, key, pollScaSessions),
  )
}

/** A concurrent poll may have decided on the exchange and set another time. */
async function decide(context: Context, key: RowKey, pollScaSessions: PollScaSessions): Promise<void> {
  const payment = await findPayment(context.database, key)
  const decideAt = payment?.decideAt ?? null
  if (payment === undefined || decideAt === null) {
    return
  }
  if (Temporal.Instant.compare(decideAt, context.clock.now()) > 0) {
    await postponeExchangeDecision(context.database, payment, decideAt)
  } else {
    await decideExchangeAtDeadline(context, payment, pollScaSessions)
  }
}
