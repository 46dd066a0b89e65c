/** Executes due steps by business time, one after the other, in the order of their due time. */

import { sql } from 'kysely'
import { executePrepared } from '../../gateway/platform/database/execute-prepared.ts'
import { millisecondsUntil, openSerialQueue, type RequestActivity, startDueScanLoop } from '../due-scan-loop.ts'
import { type FailingRows, openFailingRows, processDueRows } from '../failing-rows.ts'
import { bookPending } from './accounts/pending-store.ts'
import { expireUnscannedAuthorisations } from './authorisations/app-authorisations.ts'
import { authorisationById } from './authorisations/authorisation-store.ts'
import { decideOnExpiry } from './authorisations/decide-authorisation.ts'
import { lockAuthorisationWithTarget } from './authorisations/lock-authorisation.ts'
import { scriptedConsentEnd } from './authorisations/scripted-user-lookup.ts'
import { expireBasket } from './baskets/end-basket.ts'
import { endConsent } from './consents/authorise-consent.ts'
import { lockConsent } from './consents/consent-store.ts'
import type { BankTransaction, Context } from './context.ts'
import { advanceBulkTransaction } from './payments/advance-bulk-transaction.ts'
import { advancePayment } from './payments/execute-payment.ts'
import { notifyFxProvider } from './payments/notify-fx-provider.ts'
import { lockPayment } from './payments/payment-store.ts'
import type { BrowserReturn, PushNotification } from './push-notifications.ts'

/** The kinds of due rows; a test makes a row of each fail. */
export const DUE_ROW_KINDS = ['payment', 'element', 'consent', 'basket', 'authorisation', 'entry', 'sent'] as const

type DueRow = {
  readonly kind: (typeof DUE_ROW_KINDS)[number]
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

export function startSweep(context: Context, activity: RequestActivity): Sweep {
  const { log, clock } = context
  const { runExclusive, idle } = openSerialQueue()
  const failing = openFailingRows(log, clock.now)
  // Codes expire by real time, because a user scans them.
  const failingCodes = openFailingRows(log, clock.real)
  const findNext = () => findNextDueRow(context, failing)
  const runUntilIdle = () =>
    runExclusive(async () => {
      const next = await processDueRows(failing, clock.now(), findNext, (row) => processDueRow(context, row))
      return failing.earliestWith(next?.due_at ?? null)
    })
  const nextDueAt = async () => {
    // Not during a reset of the bank, which locks the same tables in another order.
    const next = await runExclusive(findNext)
    return failing.earliestWith(next?.due_at ?? null)
  }
  const scan = async () => {
    const codeExpiresAt = await runExclusive(() => expireUnscannedAuthorisations(context, failingCodes))
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

async function processDueRow(context: Context, thing: DueRow): Promise<void> {
  const { query } = context.database
  const notifications = await query
    .transaction()
    .execute<readonly (PushNotification | BrowserReturn)[]>(async (transaction) => {
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
          const locked = found && (await lockAuthorisationWithTarget(context, transaction, found))
          return locked === undefined ? [] : await decideOnExpiry(context, transaction, locked)
        }
      }
    })
  context.push.send(notifications)
}

async function advanceIfDue(
  context: Context,
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
    ? [await endConsent(transaction, consent, scriptedConsentEnd(consent.psu_id)?.status ?? 'expired')]
    : []
}

/** The row with the earliest due time that is not set aside. */
async function findNextDueRow(context: Context, failing: FailingRows): Promise<DueRow | undefined> {
  const isTried = (kind: DueRow['kind'], id = 'id') =>
    sql`due_at is not null and ${sql.ref(id)}::text <> all(${failing.setAside(kind)}::text[])`
  const statement = sql<DueRow>`
    select * from (
      (select 'payment' as kind, id, due_at from payments where ${isTried('payment')} order by due_at, position limit 1)
      union all
      (select 'element', id, due_at from bulk_transactions where ${isTried('element')} order by due_at, bulk_id, position limit 1)
      union all
      (select 'consent', id, due_at from consents where ${isTried('consent')} order by due_at limit 1)
      union all
      (select 'basket', id, due_at from baskets where ${isTried('basket')} order by due_at limit 1)
      union all
      (select 'authorisation', id, due_at from authorisations where ${isTried('authorisation')} order by due_at limit 1)
      union all
      (select 'entry', id, due_at from pending_entries where ${isTried('entry')} order by due_at limit 1)
      union all
      (select 'sent', payment_id, due_at from fx_provider_notifications where ${isTried('sent', 'payment_id')} order by due_at limit 1)
    ) as due order by due_at limit 1`
  return (await executePrepared(context.database, statement)).rows[0]
}
