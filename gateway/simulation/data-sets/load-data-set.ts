/** Loads a data set of the sandbox: deletes what there is, and stores what the set has, while everything runs. */

import { demoCredentials } from '../../../contract/examples/demo-fixture.ts'
import type { Consent } from '../../consents/consent.ts'
import { consentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import { REPORTING_TIME_ZONE } from '../../countries/bank-days.ts'
import { NO_PARTNER, writeAuditEntry } from '../../operators/audit-log.ts'
import { resetCounts } from '../../orders/store/daily-count-store.ts'
import { insertPastPayments, type PastPayment } from '../../orders/store/past-payment-store.ts'
import type { Partner } from '../../partners/partner.ts'
import { clearFirstTokens, deleteOtherPartners, restoreClient } from '../../partners/reset-partners.ts'
import { acquireClockMoveLock, resetBusinessTime } from '../../platform/database/business-clock-store.ts'
import { emptyUnderLoad } from '../../platform/database/empty-under-load.ts'
import { inTransaction, type Queryable } from '../../platform/database/in-transaction.ts'
import { ApiError, apiError } from '../../platform/http/errors/api-error.ts'
import { hashToken } from '../../platform/ids.ts'
import { notifyDue } from '../../platform/jobs/due-row-notification.ts'
import { formatAmount } from '../../platform/money.ts'
import { logPastRequests } from '../../request-log/request-log.ts'
import { storePastEvents } from '../../webhooks/events/enqueue-event.ts'
import { createDemoPartner, findDemoPartner } from '../demo-fixture.ts'
import type { ProgramControl, SandboxControl } from '../sandbox-control.ts'
import { type DataSetLoad, type DataSetName, HISTORY_OF_DATA_SET, type HistoryPlan, type LoadStep } from './data-set.ts'
import {
  analyzeTables,
  countStored,
  emptyTables,
  findLoad,
  insertLoad,
  listEmptiedTables,
  STORED_COUNT_MAX,
  type StoredCounts,
  updateLoad,
} from './data-set-store.ts'
import {
  type BookedPayment,
  bookingsOf,
  changesOf,
  DEBTOR_BBAN,
  generatePayment,
  isSince,
  morningBefore,
  type PastPayments,
  requestOf,
} from './generate-history.ts'
import { createAcceptedConsent, orderOpenPayment } from './order-open-payments.ts'

/** The sandbox's other programs, which are emptied, too. */
export type DataSetTools = {
  readonly bank: SandboxControl
  readonly provider: ProgramControl | null
  /** Deletes the console's users of every partner but one. */
  readonly deleteUsers: (database: Queryable, keptPartnerId: string) => Promise<void>
  /** Aborted when the load is to stop. */
  readonly stopping?: AbortSignal
  readonly onProgress?: (progress: Pick<DataSetLoad, 'step' | 'done' | 'total'>) => void
}

export type DataSetRequest = { readonly name: DataSetName; readonly actor: string }

/** Such as `12`, or `> 1000` where counting has ended. */
export function storedCountText(count: number): string {
  return count > STORED_COUNT_MAX ? `> ${STORED_COUNT_MAX}` : String(count)
}

type Report = (step: LoadStep, done: number, total: number) => Promise<void>

const PAYMENTS_PER_TRANSACTION = 5_000
/** Of events and of logged requests. */
const LOGGED_DAYS = 29

export async function findDataSetLoad({ database }: Context): Promise<DataSetLoad | undefined> {
  return await findLoad(database)
}

/** What a load would delete. */
export async function inspectStoredData({ database }: Context): Promise<StoredCounts> {
  return await countStored(database)
}

/**
 * Begins a load; `ended` settles when all is loaded, or when it has failed. Throws `conflict` while the clock is being
 * moved or another set is being loaded: both change what the other one reads.
 */
export async function beginDataSetLoad(
  context: Context,
  tools: DataSetTools,
  request: DataSetRequest,
): Promise<{ readonly ended: Promise<void> }> {
  const { database, clock } = context
  const lock = await acquireClockMoveLock(database)
  if (lock === undefined) {
    throw apiError('conflict', 'The clock is being moved, or a data set is being loaded. Try again when that has ended')
  }
  try {
    await insertLoad(database, request.name, clock.real())
  } catch (error) {
    await lock.release()
    throw error
  }
  return { ended: load(context, tools, request).finally(() => lock.release()) }
}

async function load(context: Context, tools: DataSetTools, request: DataSetRequest): Promise<void> {
  const { database, clock } = context
  let current: Pick<DataSetLoad, 'step' | 'done' | 'total'> = { step: 'delete', done: 0, total: 0 }
  const report: Report = async (step, done, total) => {
    tools.stopping?.throwIfAborted()
    current = { step, done, total }
    tools.onProgress?.(current)
    await updateLoad(database, { ...current, state: 'loading', error: null }, clock.real())
  }
  try {
    await loadSteps(context, tools, request, report)
    await updateLoad(database, { ...current, state: 'loaded', error: null }, clock.real())
  } catch (error) {
    const message = error instanceof ApiError || tools.stopping?.aborted ? messageOf(error) : 'An internal error'
    await updateLoad(database, { ...current, state: 'failed', error: message }, clock.real()).catch(() => undefined)
    throw error
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function loadSteps(
  context: Context,
  tools: DataSetTools,
  { name, actor }: DataSetRequest,
  report: Report,
): Promise<void> {
  await report('delete', 0, 0)
  const tables = await listEmptiedTables(context.database, name)
  await deleteAll(context, tools, tables)
  await writeAuditEntry(context, {
    partnerId: NO_PARTNER,
    actor,
    action: 'data set loaded',
    subject: ['data set', name],
  })
  await report('partners', 0, 0)
  if (name !== 'empty') {
    await createDemoPartner(context)
    const { id } = await requireDemoPartner(context)
    const { clientId, clientSecret } = demoCredentials
    await restoreClient(context.database, { partnerId: id, clientId, secretHash: hashToken(clientSecret) })
    await tools.deleteUsers(context.database, id)
    await deleteOtherPartners(context.database, id)
  }
  const plan = HISTORY_OF_DATA_SET[name]
  await (plan && loadHistory(context, tools, plan, report))
  await report('finish', 0, 0)
  await resetCounts(context.database)
  await analyzeTables(context.database, tables)
  await notifyDue(context.database)
}

/** The other programs first: what they report while the tables are emptied is about nothing that stays. */
async function deleteAll(context: Context, { bank, provider }: DataSetTools, tables: readonly string[]): Promise<void> {
  await bank.act('/reset', {})
  await provider?.act('/reset', {})
  await emptyUnderLoad(() =>
    inTransaction(context, async ({ database }) => {
      await emptyTables(database, tables)
      await clearFirstTokens(database)
    }),
  )
  await resetBusinessTime(context.database, context.clock)
  await context.banks.resetFailures()
}

async function loadHistory(context: Context, tools: DataSetTools, plan: HistoryPlan, report: Report): Promise<void> {
  const { clock } = context
  await report('consent', 0, 0)
  const session = await createAcceptedConsent(context)
  const { id: partnerId } = await requireDemoPartner(context)
  const consent = await consentOf(context, { partnerId, ...session })
  if (consent === undefined) {
    throw new Error(`The consent ${session.consentId} is gone`)
  }
  const history: PastPayments = { ...plan, partnerId, before: morningBefore(clock.today(REPORTING_TIME_ZONE)) }
  for (let first = 1; first <= plan.payments; first += PAYMENTS_PER_TRANSACTION) {
    await report('payments', first - 1, plan.payments)
    const count = Math.min(PAYMENTS_PER_TRANSACTION, plan.payments - first + 1)
    const payments = Array.from({ length: count }, (_one, index) => generatePayment(history, first + index))
    await storePayments(context, consent, payments)
    const bookings = bookingsOf(payments)
    if (bookings.length > 0) {
      await report('entries', 0, bookings.length)
      await tools.bank.act(`/accounts/${DEBTOR_BBAN}/entries/import`, { entries: withReceipts(bookings) })
    }
  }
  for (let number = 1; number <= plan.openPayments; number += 1) {
    await report('orders', number - 1, plan.openPayments)
    await orderOpenPayment(context, session, number)
  }
}

/** With the requests that ordered them, and the events of their statuses. */
async function storePayments(context: Context, consent: Consent, payments: readonly PastPayment[]): Promise<void> {
  const { partnerId, id: consentId } = consent
  const loggedSince = context.clock.now().subtract({ hours: 24 * LOGGED_DAYS })
  await inTransaction(context, async ({ database }) => {
    await insertPastPayments(database, consent, payments)
    await storePastEvents(database, partnerId, changesOf(partnerId, payments, loggedSince))
  })
  const caller = { partnerId, clientId: demoCredentials.clientId, consentId }
  const logged = payments.filter(({ statuses: [{ at }] }) => isSince(at, loggedSince))
  await logPastRequests(
    context,
    logged.map((payment) => requestOf(caller, payment)),
  )
}

async function requireDemoPartner(context: Context): Promise<Partner> {
  const partner = await findDemoPartner(context)
  if (partner === undefined) {
    throw new Error('There is no demo partner')
  }
  return partner
}

/** On each day as much comes in as goes out, so that the account is never overdrawn. */
function withReceipts(payments: readonly BookedPayment[]): readonly object[] {
  const byDay = Map.groupBy(payments, ({ bookedOn }) => bookedOn)
  return [...byDay].flatMap(([bookedOn, booked]) => {
    const minor = booked.reduce((sum, { amount }) => sum - BigInt(amount.replace('.', '')), 0n)
    const amount = formatAmount({ minor, currency: 'NOK' })
    return [{ amount, counterparty: 'Havblikk Hotell AS', message: 'Receipts', bookedOn }, ...booked]
  })
}
