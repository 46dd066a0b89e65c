/** Executes due steps by business time, one after the other, in the order of their due time. */

import { type DueRow, type DueTable, findNextDueRow, openFailingRows, processDueRows, type Sweep } from '../due-rows.ts'
import { millisecondsUntil, openSerialQueue, type RequestActivity, startDueScanLoop } from '../due-scan-loop.ts'
import { findRow } from '../rows.ts'
import { bookPending } from './accounts/pending-store.ts'
import { expireUnscannedAuthorisations } from './authorisations/app-authorisations.ts'
import { decideOnExpiry } from './authorisations/decide-authorisation.ts'
import { lockAuthorisationWithTarget } from './authorisations/lock-authorisation.ts'
import { scriptedUser } from './authorisations/scripted-user-lookup.ts'
import { expireBasket } from './baskets/basket-sca-target.ts'
import { endConsent } from './consents/authorise-consent.ts'
import { type Context, inTransaction } from './context.ts'
import { advanceBulkTransaction } from './payments/advance-bulk-transaction.ts'
import { advancePayment } from './payments/execute-payment.ts'
import { notifyFxProvider } from './payments/notify-fx-provider.ts'

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

async function processDueRow(context: Context, { kind, id, due_at: at }: Due): Promise<void> {
  await inTransaction(context, async (context) => {
    switch (kind) {
      case 'payment':
        return await advanceIfDue(context, id, at)
      case 'element':
        return await advanceBulkTransaction(context, id, at)
      case 'consent':
        return await expireConsent(context, id, at)
      case 'basket':
        return await expireBasket(context, id, at)
      case 'entry':
        return await bookPending(context, id, at)
      case 'sent':
        return await notifyFxProvider(context, id, at)
      case 'authorisation':
        return await decideIfDue(context, id, at)
    }
  })
}

async function advanceIfDue(context: Context, id: string, at: Temporal.Instant): Promise<void> {
  const payment = await findRow(context, 'payments', { id }, { lock: true })
  if (payment?.due_at?.equals(at) === true) {
    await advancePayment(context, payment, at)
  }
}

async function expireConsent(context: Context, id: string, at: Temporal.Instant): Promise<void> {
  const consent = await findRow(context, 'consents', { id }, { lock: true })
  if (consent?.due_at?.equals(at) === true) {
    await endConsent(context, consent, scriptedUser(consent.psu_id)?.consentEnds?.status ?? 'expired')
  }
}

/** Its user may have decided since it was found. */
async function decideIfDue(context: Context, id: string, at: Temporal.Instant): Promise<void> {
  const found = await findRow(context, 'authorisations', { id })
  const locked = found && (await lockAuthorisationWithTarget(context, found))
  if (locked?.authorisation.due_at?.equals(at) === true) {
    await decideOnExpiry(context, locked)
  }
}
