/** Executes due steps by business time, one after the other, in the order of their due time. */
import { sql } from 'kysely'
import { executePrepared } from '../../gateway/platform/database/execute-prepared.ts'
import { millisecondsUntil, openSerialQueue, type RequestActivity, startDueScanLoop } from '../due-scan-loop.ts'
import { type FailingRows, openFailingRows, processDueRows } from '../failing-rows.ts'
import { findInboundFunds } from './books/inbound-funds-store.ts'
import type { BooksTransaction, Context } from './context.ts'
import { settleConversion } from './conversions/advance-conversion.ts'
import { completeInboundFunds } from './funds/receive-inbound-funds.ts'
import { deliverNotifications } from './notifications.ts'
import { advancePayment } from './payouts/advance-payment.ts'

/** The kinds of due rows; a test makes a row of each fail. */
export const DUE_ROW_KINDS = ['conversion', 'payment', 'arrival', 'notice'] as const

type DueRow = {
  readonly kind: (typeof DUE_ROW_KINDS)[number]
  readonly id: string
  readonly due_at: Temporal.Instant
}

export type Sweep = {
  /** Executes everything that is due now, and delivers its notifications; returns the next due time. */
  runUntilIdle(): Promise<Temporal.Instant | null>
  /** Runs a function while nothing else changes the database. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result>
  /** The next due time; null when nothing is scheduled. */
  nextDueAt(): Promise<Temporal.Instant | null>
  stop(): Promise<void>
}

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
        () => findNextDueRow(context, failing, { withNotices: false }),
        (row) => context.database.query.transaction().execute((books) => processDueRow(context, books, row)),
      ),
    )
    await telling.runExclusive(() => deliverPendingNotifications(context, failing))
    return await nextDueAt()
  }
  const nextDueAt = async () => {
    const next = await findNextDueRow(context, failing, { withNotices: true })
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

async function deliverPendingNotifications(context: Context, failing: FailingRows): Promise<void> {
  let reported = await deliverNotifications(context, failing)
  while (reported > 0) {
    reported = await deliverNotifications(context, failing)
  }
}

async function processDueRow(
  context: Context,
  books: BooksTransaction,
  { kind, id, due_at: at }: DueRow,
): Promise<void> {
  switch (kind) {
    case 'conversion':
      return await settleConversion(books, id, at)
    case 'payment':
      return await advancePayment(context, books, id, at)
    case 'arrival': {
      const arrival = await findInboundFunds(books, id)
      if (arrival !== undefined) {
        await completeInboundFunds(books, arrival, at)
      }
      return undefined
    }
    case 'notice':
      return undefined
  }
}

/** The row with the earliest due time that is not set aside. Funds come before notifications. */
async function findNextDueRow(
  { database }: Context,
  failing: FailingRows,
  { withNotices }: { readonly withNotices: boolean },
): Promise<DueRow | undefined> {
  const isTried = (kind: DueRow['kind']) =>
    sql`due_at is not null and id::text <> all(${failing.setAside(kind)}::text[])`
  const notices = sql`union all (select 'notice', id, due_at from notices where ${isTried('notice')} order by due_at limit 1)`
  const statement = sql<DueRow>`
    select * from (
      (select 'arrival' as kind, id, due_at from arrivals where ${isTried('arrival')} order by due_at, position limit 1)
      union all
      (select 'conversion', id, due_at from conversions where ${isTried('conversion')} order by due_at, position limit 1)
      union all
      (select 'payment', id, due_at from payments where ${isTried('payment')} order by due_at, position limit 1)
      ${withNotices ? notices : sql``}
    ) as due order by due_at limit 1`
  return (await executePrepared(database, statement)).rows[0]
}
