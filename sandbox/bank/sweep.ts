/** Executes due steps by business time, one after the other, in the order of their due time. */
import { sql } from 'kysely'
import { executePrepared } from '../../gateway/platform/database/execute-prepared.ts'
import { millisecondsUntil, openSerialQueue, type RequestActivity, startDueScanLoop } from '../due-scan-loop.ts'
import { bookPending } from './accounts/book-pending.ts'
import { expireUnscannedAuthorisations } from './authorisations/app-authorisations.ts'
import { authorisationById } from './authorisations/authorisation-store.ts'
import { decideOnExpiry } from './authorisations/decide-authorisation.ts'
import { lockAuthorisationWithTarget } from './authorisations/lock-sca-target.ts'
import type { BankContext, BankTransaction } from './bank-context.ts'
import { expireBasket } from './baskets/expire-basket.ts'
import { advanceBulkTransaction } from './bulks/advance-bulk-transaction.ts'
import { endConsent } from './consents/authorise-consent.ts'
import { lockConsent } from './consents/consent-store.ts'
import { scriptedConsentEnd } from './outcomes/scripted-user-lookup.ts'
import { advancePayment } from './payments/execute-payment.ts'
import { notifyFxProvider } from './payments/notify-fx-provider.ts'
import { lockPayment } from './payments/payment-store.ts'
import type { PushNotification } from './push-notifications.ts'

type DueRow = {
  readonly kind: 'payment' | 'element' | 'consent' | 'basket' | 'authorisation' | 'entry' | 'sent'
  readonly id: string
  readonly due_at: Temporal.Instant
}

export type Sweep = {
  /** Executes everything that is due now by business time; returns the next due time, null when nothing is scheduled. */
  runUntilIdle(): Promise<Temporal.Instant | null>
  /** Runs a function while the sweep is paused. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result>
  /** The next due time; null when nothing is scheduled. */
  nextDueAt(): Promise<Temporal.Instant | null>
  stop(): Promise<void>
}

export function startSweep(context: BankContext, activity: RequestActivity): Sweep {
  const { log, clock } = context
  const { runExclusive, idle } = openSerialQueue()
  const runUntilIdle = () => runExclusive(() => processDueRows(context))
  // Not during a reset of the bank, which locks the same tables in another order.
  const nextDueAt = async () => (await runExclusive(() => findNextDueRow(context)))?.due_at ?? null
  const scan = async () => {
    // Codes expire by real time, because a user scans them.
    const codeExpiresAt = await runExclusive(() => expireUnscannedAuthorisations(context))
    const dueAt = await runUntilIdle()
    return Math.min(millisecondsUntil(dueAt, clock.now()), millisecondsUntil(codeExpiresAt, clock.real()))
  }
  const endLooking = startDueScanLoop({ scan, activity, log })
  return {
    runUntilIdle,
    runExclusive,
    nextDueAt,
    stop: async () => {
      await endLooking()
      await idle()
    },
  }
}

async function processDueRows(context: BankContext): Promise<Temporal.Instant | null> {
  const until = context.clock.now()
  let next = await findNextDueRow(context)
  while (next !== undefined && Temporal.Instant.compare(next.due_at, until) <= 0) {
    await processDueRow(context, next)
    next = await findNextDueRow(context)
  }
  return next?.due_at ?? null
}

async function processDueRow(context: BankContext, thing: DueRow): Promise<void> {
  const notifications = await context.database.query.transaction().execute(async (transaction) => {
    switch (thing.kind) {
      case 'payment':
        return await advanceIfDue(context, transaction, thing)
      case 'element':
        return await advanceBulkTransaction(context, transaction, thing.id, thing.due_at)
      case 'consent':
        return await expireConsent(transaction, thing)
      case 'basket':
        return await expireBasket(transaction, thing.id, thing.due_at)
      case 'entry':
        await bookPending(context, transaction, thing.id, thing.due_at)
        return []
      case 'sent':
        await notifyFxProvider(context, transaction, thing.id, thing.due_at)
        return []
      case 'authorisation': {
        const found = await authorisationById(transaction, thing.id)
        const locked = found && (await lockAuthorisationWithTarget(transaction, found))
        return locked === undefined ? [] : await decideOnExpiry(context, transaction, locked)
      }
    }
  })
  context.push.send(notifications)
}

async function advanceIfDue(
  context: BankContext,
  transaction: BankTransaction,
  { id, due_at: at }: DueRow,
): Promise<readonly PushNotification[]> {
  const payment = await lockPayment(transaction, id)
  return payment?.due_at?.equals(at) === true ? await advancePayment(context, transaction, payment, at) : []
}

async function expireConsent(
  transaction: BankTransaction,
  { id, due_at: at }: DueRow,
): Promise<readonly PushNotification[]> {
  const consent = await lockConsent(transaction, id)
  return consent?.due_at?.equals(at) === true
    ? [await endConsent(transaction, consent, scriptedConsentEnd(consent)?.status ?? 'expired')]
    : []
}

/** The row with the earliest due time. */
async function findNextDueRow(context: BankContext): Promise<DueRow | undefined> {
  const statement = sql<DueRow>`
    select * from (
      (select 'payment' as kind, id, due_at from payments where due_at is not null order by due_at, position limit 1)
      union all
      (select 'element', id, due_at from bulk_transactions where due_at is not null order by due_at, bulk_id, position limit 1)
      union all
      (select 'consent', id, due_at from consents where due_at is not null order by due_at limit 1)
      union all
      (select 'basket', id, due_at from baskets where due_at is not null order by due_at limit 1)
      union all
      (select 'authorisation', id, due_at from authorisations where due_at is not null order by due_at limit 1)
      union all
      (select 'entry', id, due_at from pending_entries order by due_at limit 1)
      union all
      (select 'sent', payment_id, due_at from fx_provider_notifications where due_at is not null order by due_at limit 1)
    ) as due order by due_at limit 1`
  return (await executePrepared(context.database, statement)).rows[0]
}
