/** Carries out what falls due by business time, one thing after the other, in the order of its time. */
import { sql } from 'kysely'
import { type Activity, keepLooking, millisecondsUntil, openQueue } from '../due-scan-loop.ts'
import { bookPending } from './accounts/book-pending.ts'
import { endLapsedOrders } from './authorisations/app-orders.ts'
import { authorisationById, nextCodeLapse } from './authorisations/authorisation-store.ts'
import { decideAtLast } from './authorisations/decide-authorisation.ts'
import { lockWithTarget } from './authorisations/lock-sca-target.ts'
import type { BankContext, BankTransaction } from './bank-context.ts'
import { expireBasket } from './baskets/expire-basket.ts'
import { advanceElement } from './bulks/advance-element.ts'
import { endConsent } from './consents/authorise-consent.ts'
import { lockConsent } from './consents/consent-store.ts'
import { scriptedEnd } from './outcomes/scripted-user-lookup.ts'
import { advancePayment } from './payments/execute-payment.ts'
import { tellProvider } from './payments/notify-fx-provider.ts'
import { lockPayment } from './payments/payment-store.ts'
import type { Notice } from './push-notifications.ts'

/** Something that waits for its time. */
type DueThing = {
  readonly kind: 'payment' | 'element' | 'consent' | 'basket' | 'authorisation' | 'entry' | 'sent'
  readonly id: string
  readonly due_at: Temporal.Instant
}

export type Sweep = {
  /** Carries out everything that is due now. */
  runUntilIdle(): Promise<void>
  /** Runs something while no sweep does. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>
  /** When the next thing falls due; null when nothing waits. */
  nextDueAt(): Promise<Temporal.Instant | null>
  stop(): Promise<void>
}

/** Starts to look for due things. */
export function startSweep(context: BankContext, activity: Activity): Sweep {
  const { log, clock } = context
  const { alone, idle } = openQueue()
  const runUntilIdle = () => alone(() => carryOutDue(context))
  // Not while the bank is reset: that locks the same tables, in another order.
  const nextDueAt = async () => (await alone(() => nextThing(context, null)))?.due_at ?? null
  const untilDue = async () => {
    const codeLapsesAt = await nextCodeLapse(context.database.query)
    return Math.min(millisecondsUntil(await nextDueAt(), clock.now()), millisecondsUntil(codeLapsesAt, clock.real()))
  }
  const endLooking = keepLooking({ look: runUntilIdle, untilDue, activity, log })
  return {
    runUntilIdle,
    alone,
    nextDueAt,
    stop: async () => {
      await endLooking()
      await idle()
    },
  }
}

async function carryOutDue(context: BankContext): Promise<void> {
  await endLapsedOrders(context)
  const until = context.clock.now()
  let thing = await nextThing(context, until)
  while (thing !== undefined) {
    await carryOut(context, thing)
    thing = await nextThing(context, until)
  }
}

async function carryOut(context: BankContext, thing: DueThing): Promise<void> {
  const notices = await context.database.query.transaction().execute(async (transaction) => {
    switch (thing.kind) {
      case 'payment':
        return await advanceIfDue(context, transaction, thing)
      case 'element':
        return await advanceElement(context, transaction, thing.id, thing.due_at)
      case 'consent':
        return await expireConsent(transaction, thing)
      case 'basket':
        return await expireBasket(transaction, thing.id, thing.due_at)
      case 'entry':
        await bookPending(context, transaction, thing.id, thing.due_at)
        return []
      case 'sent':
        await tellProvider(context, transaction, thing.id, thing.due_at)
        return []
      case 'authorisation': {
        const found = await authorisationById(transaction, thing.id)
        const locked = found && (await lockWithTarget(transaction, found))
        return locked === undefined ? [] : await decideAtLast(context, transaction, locked)
      }
    }
  })
  context.push.send(notices)
}

async function advanceIfDue(
  context: BankContext,
  transaction: BankTransaction,
  { id, due_at: at }: DueThing,
): Promise<readonly Notice[]> {
  const payment = await lockPayment(transaction, id)
  return payment?.due_at?.equals(at) === true ? await advancePayment(context, transaction, payment, at) : []
}

async function expireConsent(transaction: BankTransaction, { id, due_at: at }: DueThing): Promise<readonly Notice[]> {
  const consent = await lockConsent(transaction, id)
  return consent?.due_at?.equals(at) === true
    ? [await endConsent(transaction, consent, scriptedEnd(consent)?.status ?? 'expired')]
    : []
}

/** The thing with the least due time, up to an instant; without one, the next of all. */
async function nextThing(context: BankContext, until: Temporal.Instant | null): Promise<DueThing | undefined> {
  const limit = until === null ? sql`'infinity'::timestamptz` : sql`${until.toString()}::timestamptz`
  const { rows } = await sql<DueThing>`
    select * from (
      (select 'payment' as kind, id, due_at from payments where due_at <= ${limit} order by due_at, position limit 1)
      union all
      (select 'element', id, due_at from bulk_elements where due_at <= ${limit} order by due_at, bulk_id, position limit 1)
      union all
      (select 'consent', id, due_at from consents where due_at <= ${limit} order by due_at limit 1)
      union all
      (select 'basket', id, due_at from baskets where due_at <= ${limit} order by due_at limit 1)
      union all
      (select 'authorisation', id, due_at from authorisations where due_at <= ${limit} order by due_at limit 1)
      union all
      (select 'entry', id, due_at from pending_entries where due_at <= ${limit} order by due_at limit 1)
      union all
      (select 'sent', payment_id, due_at from sent_to_provider where due_at <= ${limit} order by due_at limit 1)
    ) as due order by due_at limit 1`.execute(context.database.query)
  return rows[0]
}
