/** Executes due steps by business time, one after the other, in the order of their due time. */

import { type DueRow, type DueTable, findNextDueRow, openFailingRows, processDueRows, type Sweep } from '../due-rows.ts'
import { millisecondsUntil, openSerialQueue, type RequestActivity, startDueScanLoop } from '../due-scan-loop.ts'
import { findRow } from '../rows.ts'
import { type Context, inTransaction } from './context.ts'
import { settleConversion } from './conversions/advance-conversion.ts'
import { completeInboundFunds } from './funds/receive-inbound-funds.ts'
import { deliverNotifications } from './notifications.ts'
import { advancePayment } from './payouts/advance-payment.ts'

/** Funds come before what they pay for. */
const BOOKS = [
  { kind: 'arrival', table: 'arrivals', order: ['position'] },
  { kind: 'conversion', table: 'conversions', order: ['position'] },
  { kind: 'payment', table: 'payments', order: ['position'] },
] as const satisfies readonly DueTable<string>[]
/** Notifications are delivered apart. */
export const DUE_TABLES = [...BOOKS, { kind: 'notice', table: 'notices' }] as const

export function startSweep(context: Context, activity: RequestActivity): Sweep {
  const { log, clock } = context
  const { runExclusive, idle } = openSerialQueue()
  // The receiver of a notification may call at once, so the exclusive lock is not held meanwhile.
  const telling = openSerialQueue()
  const failing = openFailingRows(log, clock.now)
  const runUntilIdle = async () => {
    await runExclusive(() =>
      processDueRows(
        failing,
        clock.now(),
        () => findNextDueRow(context.database, BOOKS, failing),
        (row) => inTransaction(context, (context) => processDueRow(context, row)),
      ),
    )
    await telling.runExclusive(() => deliverNotifications(context, failing))
    return await nextDueAt()
  }
  const nextDueAt = async () => {
    // Not during a reset, which locks the same tables in another order.
    const next = await runExclusive(() => findNextDueRow(context.database, DUE_TABLES, failing))
    return failing.earliestWith(next?.due_at ?? null)
  }
  const scan = async () => millisecondsUntil(await runUntilIdle(), clock.now())
  const endLooking = startDueScanLoop({ scan, activity, log })
  return {
    runUntilIdle,
    runExclusive,
    nextDueAt,
    stop: async () => {
      await endLooking()
      await idle()
      await telling.idle()
    },
  }
}

async function processDueRow(
  context: Context,
  { kind, id, due_at: at }: DueRow<(typeof BOOKS)[number]['kind']>,
): Promise<void> {
  switch (kind) {
    case 'conversion':
      return await settleConversion(context, id, at)
    case 'payment':
      return await advancePayment(context, id, at)
    case 'arrival': {
      const arrival = await findRow(context, 'arrivals', { id })
      if (arrival !== undefined) {
        await completeInboundFunds(context, arrival, at)
      }
      return undefined
    }
  }
}
