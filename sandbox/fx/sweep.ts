/** Executes due steps by business time, one after the other, in the order of their due time. */
import { sql } from 'kysely'
import { millisecondsUntil, openSerialQueue, type RequestActivity, startDueScanLoop } from '../due-scan-loop.ts'
import { settleConversion } from './conversions/advance-conversion.ts'
import { completeInboundFunds } from './funds/complete-inbound-funds.ts'
import { findInboundFunds } from './funds/inbound-funds-store.ts'
import { deliverNotifications } from './notifications/deliver-notifications.ts'
import { advancePayment } from './payouts/advance-payment.ts'
import type { BooksTransaction, ProviderContext } from './provider-context.ts'

type DueRow = {
  readonly kind: 'conversion' | 'payment' | 'arrival' | 'notice'
  readonly id: string
  readonly due_at: Temporal.Instant
}

export type Sweep = {
  /** Executes everything that is due now, and delivers its notifications. */
  runUntilIdle(): Promise<void>
  /** Runs a function while nothing else changes the database. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result>
  /** The next due time; null when nothing is scheduled. */
  nextDueAt(): Promise<Temporal.Instant | null>
  stop(): Promise<void>
}

export function startSweep(context: ProviderContext, activity: RequestActivity): Sweep {
  const { log, clock } = context
  const { runExclusive, idle } = openSerialQueue()
  // The receiver of a notification may call at once, so the exclusive lock is not held meanwhile.
  const telling = openSerialQueue()
  const runUntilIdle = async () => {
    await runExclusive(() => processDueRows(context))
    await telling.runExclusive(() => deliverPendingNotifications(context))
  }
  const nextDueAt = async () => (await findNextDueRow(context, null, true))?.due_at ?? null
  const scan = async () => {
    await runUntilIdle()
    return millisecondsUntil(await nextDueAt(), clock.now())
  }
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

async function deliverPendingNotifications(context: ProviderContext): Promise<void> {
  let reported = await deliverNotifications(context)
  while (reported > 0) {
    reported = await deliverNotifications(context)
  }
}

async function processDueRows(context: ProviderContext): Promise<void> {
  const until = context.clock.now()
  let thing = await findNextDueRow(context, until, false)
  while (thing !== undefined) {
    const { kind, id, due_at: at } = thing
    await context.database.query.transaction().execute((books) => processDueRow(context, books, { kind, id, at }))
    thing = await findNextDueRow(context, until, false)
  }
}

async function processDueRow(
  context: ProviderContext,
  books: BooksTransaction,
  { kind, id, at }: Pick<DueRow, 'kind' | 'id'> & { readonly at: Temporal.Instant },
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

/** The row with the earliest due time, up to an instant if given. Funds come before notifications. */
async function findNextDueRow(
  { database }: ProviderContext,
  until: Temporal.Instant | null,
  withNotices: boolean,
): Promise<DueRow | undefined> {
  const limit = until === null ? sql`'infinity'::timestamptz` : sql`${until.toString()}::timestamptz`
  const notices = sql`union all (select 'notice', id, due_at from notices where due_at <= ${limit} order by due_at limit 1)`
  const { rows } = await sql<DueRow>`
    select * from (
      (select 'arrival' as kind, id, due_at from arrivals where due_at <= ${limit} order by due_at, position limit 1)
      union all
      (select 'conversion', id, due_at from conversions where due_at <= ${limit} order by due_at, position limit 1)
      union all
      (select 'payment', id, due_at from payments where due_at <= ${limit} order by due_at, position limit 1)
      ${withNotices ? notices : sql``}
    ) as due order by due_at limit 1`.execute(database.query)
  return rows[0]
}
