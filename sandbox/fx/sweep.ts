/** Carries out what falls due by business time, one thing after the other, in the order of its time. */
import { sql } from 'kysely'
import { type Activity, keepLooking, millisecondsUntil, openQueue } from '../due-scan-loop.ts'
import { settleConversion } from './conversions/advance-conversion.ts'
import { completeArrival } from './funds/complete-inbound-funds.ts'
import { findArrival } from './funds/inbound-funds-store.ts'
import { deliverNotices } from './notifications/deliver-notifications.ts'
import { advancePayment } from './payouts/advance-payment.ts'
import type { Books, ProviderContext } from './provider-context.ts'

/** Something that waits for its time. */
type DueThing = {
  readonly kind: 'conversion' | 'payment' | 'arrival' | 'notice'
  readonly id: string
  readonly due_at: Temporal.Instant
}

export type Sweep = {
  /** Carries out everything that is due now, and tells of it. */
  runUntilIdle(): Promise<void>
  /** Runs something while nothing else changes the books. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>
  /** When the next thing falls due; null when nothing waits. */
  nextDueAt(): Promise<Temporal.Instant | null>
  stop(): Promise<void>
}

/** Starts to look for due things. */
export function startSweep(context: ProviderContext, activity: Activity): Sweep {
  const { log, clock } = context
  const { alone, idle } = openQueue()
  // Whoever is told may call at once, so the books are not held meanwhile.
  const telling = openQueue()
  const runUntilIdle = async () => {
    await alone(() => carryOutDue(context))
    await telling.alone(() => tellAll(context))
  }
  const nextDueAt = async () => (await nextThing(context, null, true))?.due_at ?? null
  const untilDue = async () => millisecondsUntil(await nextDueAt(), clock.now())
  const endLooking = keepLooking({ look: runUntilIdle, untilDue, activity, log })
  return {
    runUntilIdle,
    alone,
    nextDueAt,
    stop: async () => {
      await endLooking()
      await idle()
      await telling.idle()
    },
  }
}

async function tellAll(context: ProviderContext): Promise<void> {
  let told = await deliverNotices(context)
  while (told > 0) {
    told = await deliverNotices(context)
  }
}

async function carryOutDue(context: ProviderContext): Promise<void> {
  const until = context.clock.now()
  let thing = await nextThing(context, until, false)
  while (thing !== undefined) {
    const { kind, id, due_at: at } = thing
    await context.database.query.transaction().execute((books) => carryOut(context, books, { kind, id, at }))
    thing = await nextThing(context, until, false)
  }
}

async function carryOut(
  context: ProviderContext,
  books: Books,
  { kind, id, at }: Pick<DueThing, 'kind' | 'id'> & { readonly at: Temporal.Instant },
): Promise<void> {
  switch (kind) {
    case 'conversion':
      return await settleConversion(books, id, at)
    case 'payment':
      return await advancePayment(context, books, id, at)
    case 'arrival': {
      const arrival = await findArrival(books, id)
      if (arrival !== undefined) {
        await completeArrival(books, arrival, at)
      }
      return undefined
    }
    case 'notice':
      return undefined
  }
}

/** The thing with the least due time, up to an instant; without one, the next of all. Money goes before news of it. */
async function nextThing(
  { database }: ProviderContext,
  until: Temporal.Instant | null,
  withNotices: boolean,
): Promise<DueThing | undefined> {
  const limit = until === null ? sql`'infinity'::timestamptz` : sql`${until.toString()}::timestamptz`
  const notices = sql`union all (select 'notice', id, due_at from notices where due_at <= ${limit} order by due_at limit 1)`
  const { rows } = await sql<DueThing>`
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
