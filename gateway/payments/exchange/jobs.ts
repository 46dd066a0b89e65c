/** Decides upon exchanges whose deadline has come, and carries out what was decided of them. */
import type { Context } from '../../context.ts'
import type { RowKey } from '../../foundation/due-rows.ts'
import { dueSweep } from '../../foundation/due-sweep.ts'
import type { Sweep } from '../../foundation/sweep.ts'
import { postponeDecision } from '../../orders/exchange/exchange-store.ts'
import { findPayment } from '../../orders/payment-store.ts'
import { decideExchange, decisionSecondsMax, type LookAtSignings } from './decide-exchange.ts'

const deciding = {
  table: 'payments',
  share: 'bic',
  name: 'exchanges deciding',
  column: 'decide_at',
  time: 'business',
} as const

/** The sweep over exchanges; `look` sees to the signings of a payment before its order is read. */
export function exchangeSweep(context: Context, look: LookAtSignings): Sweep {
  return dueSweep(context, { ...deciding, leaseSeconds: decisionSecondsMax(context) }, (key) =>
    decide(context, key, look),
  )
}

/** Whoever read the payment meanwhile may have decided it and set another time. */
async function decide(context: Context, key: RowKey, look: LookAtSignings): Promise<void> {
  const payment = await findPayment(context.database, key)
  const decideAt = payment?.decideAt ?? null
  if (payment === undefined || decideAt === null) {
    return
  }
  if (Temporal.Instant.compare(decideAt, context.clock.now()) > 0) {
    await postponeDecision(context.database, payment, decideAt)
  } else {
    await decideExchange(context, payment, look)
  }
}
