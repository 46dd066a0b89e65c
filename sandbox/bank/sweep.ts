/** Executes due steps by business time, one after the other, in the order of their due time. */

import { type DueRow, type DueTable, findNextDueRow, openFailingRows, processDueRows, type Sweep } from '../due-rows.ts'
import { millisecondsUntil, openSerialQueue, type RequestActivity, startDueScanLoop } from '../due-scan-loop.ts'
import { bookPending } from './accounts/pending-store.ts'
import { expireUnscannedAuthorisations } from './authorisations/app-authorisations.ts'
import { authorisationById } from './authorisations/authorisation-store.ts'
import { decideOnExpiry } from './authorisations/decide-authorisation.ts'
import { lockAuthorisationWithTarget } from './authorisations/lock-authorisation.ts'
import { scriptedConsentEnd } from './authorisations/scripted-user-lookup.ts'
import { expireBasket } from './baskets/basket-sca-target.ts'
import { endConsent } from './consents/authorise-consent.ts'
import { lockConsent } from './consents/consent-store.ts'
import type { BankTransaction, Context } from './context.ts'
import { advanceBulkTransaction } from './payments/advance-bulk-transaction.ts'
import { advancePayment } from './payments/execute-payment.ts'
import { notifyFxProvider } from './payments/notify-fx-provider.ts'
import { lockPayment } from './payments/payment-store.ts'
import type { BrowserReturn, PushNotification } from './push-notifications.ts'

/** Single payments first, those of bulks in the order of the bulk. */
export const DUE_TABLES = [
  { kind: 'payment', table: 'payments', order: ['position'] },
  { kind: 'element', table: 'bulk_transactions', order: ['bulk_id', 'position'] },
  { kind: 'consent', table: 'consents' },
  { kind: 'basket', table: 'baskets' },
  { kind: 'authorisation', table: 'authorisations' },
  { kind: 'entry', table: 'pending_entries' },
  { kind: 'sent', table: 'fx_provider_notifications', id: 'payment_id' },
] as const satisfies readonly DueTable<string>[]

type Due = DueRow<(typeof DUE_TABLES)[number]['kind']>

export function startSweep(context: Context, activity: RequestActivity): Sweep {
  const { log, clock } = context
  const { runExclusive, idle } = openSerialQueue()
  const failing = openFailingRows(log, clock.now)
  // Codes expire by real time, because a user scans them.
  const failingCodes = openFailingRows(log, clock.real)
  const findNext = () => findNextDueRow(context.database, DUE_TABLES, failing)
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

async function processDueRow(context: Context, thing: Due): Promise<void> {
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
          // Its user may have decided since it was found.
          return locked?.authorisation.due_at?.equals(thing.due_at) === true
            ? await decideOnExpiry(context, transaction, locked)
            : []
        }
      }
    })
  context.push.send(notifications)
}

async function advanceIfDue(
  context: Context,
  transaction: BankTransaction,
  { id, due_at: at }: Due,
): Promise<readonly PushNotification[]> {
  const payment = await lockPayment(transaction, id)
  return payment?.due_at?.equals(at) === true ? await advancePayment(context, transaction, payment, at) : []
}

async function expireConsent(
  transaction: BankTransaction,
  { id, due_at: at }: Due,
): Promise<readonly PushNotification[]> {
  const consent = await lockConsent(transaction, id)
  return consent?.due_at?.equals(at) === true
    ? [await endConsent(transaction, consent, scriptedConsentEnd(consent.psu_id)?.status ?? 'expired')]
    : []
}
