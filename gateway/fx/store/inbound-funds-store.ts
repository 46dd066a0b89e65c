/** Every query on inbound funds, i.e. money that arrived at providers. */
import { type ColumnType, type Kysely, sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import type { DealKey } from './deal.ts'
import { type HoldReason, type InboundFunds, type InboundFundsState, inboundFundsTransitions } from './inbound-funds.ts'

type Instant = ColumnType<Temporal.Instant, string, string>
type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>
type MaybeText = ColumnType<string | null, string | null | undefined, string | null>

type Tables = {
  fx_inbound_funds: {
    partner_id: string
    id: string
    provider: string
    provider_funds_id: string
    currency: string
    minor: bigint
    reference: string | null
    received_at: Instant
    quote_id: MaybeText
    deal_id: MaybeText
    state: InboundFundsState
    reason: ColumnType<HoldReason | null, HoldReason | null | undefined, HoldReason | null>
    created_at: Instant
    changed_at: Instant
    return_id: MaybeText
    payout_id: MaybeText
    failing_since: MaybeInstant
    attempts: ColumnType<number, number | undefined, number>
    due_at: MaybeInstant
    lease_until: MaybeInstant
  }
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** What identifies a receipt. */
export type InboundFundsKey = Pick<InboundFunds, 'partnerId' | 'id'>

/** Inserts a receipt; false when it is stored already. */
export async function insertInboundFunds(
  database: Queryable,
  receipt: InboundFunds,
  dueAt: Temporal.Instant,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tables(database)
    .insertInto('fx_inbound_funds')
    .values({
      partner_id: receipt.partnerId,
      id: receipt.id,
      provider: receipt.provider,
      provider_funds_id: receipt.providerReceiptId,
      currency: receipt.amount.currency,
      minor: receipt.amount.minor,
      reference: receipt.reference,
      received_at: receipt.receivedAt.toString(),
      quote_id: receipt.quoteId,
      state: receipt.state,
      created_at: receipt.createdAt.toString(),
      changed_at: receipt.changedAt.toString(),
      due_at: dueAt.toString(),
    })
    .onConflict((conflict) => conflict.columns(['provider', 'provider_funds_id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Finds one receipt; `lock` holds the row lock until the transaction ends. */
export async function findInboundFunds(
  database: Queryable,
  key: InboundFundsKey,
  { lock = false } = {},
): Promise<InboundFunds | undefined> {
  const found = selectReceipts(database).where(hasKey(key))
  const row = await (lock ? found.forUpdate() : found).executeTakeFirst()
  return row && receiptOf(row)
}

/** The receipts of a deal, oldest first. */
export async function listInboundFundsOfDeal(database: Queryable, deal: DealKey): Promise<readonly InboundFunds[]> {
  const rows = await selectReceipts(database)
    .where('partner_id', '=', deal.partnerId)
    .where('deal_id', '=', deal.id)
    .orderBy('received_at')
    .orderBy('id')
    .execute()
  return rows.map(receiptOf)
}

/** Receipts that are neither used nor returned, of all partners, oldest change first; for operators. */
export async function listOpenInboundFunds(database: Queryable, limit: number): Promise<readonly InboundFunds[]> {
  const rows = await selectReceipts(database)
    .where(sql<boolean>`state not in ('used', 'returned')`)
    .orderBy('changed_at')
    .limit(limit)
    .execute()
  return rows.map(receiptOf)
}

/** Finds one receipt of any partner; for operators. */
export async function findInboundFundsOfAnyPartner(database: Queryable, id: string): Promise<InboundFunds | undefined> {
  const row = await selectReceipts(database).where('id', '=', id).executeTakeFirst()
  return row && receiptOf(row)
}

/** Counts receipts that are neither used nor returned. */
export async function countOpenInboundFunds(database: Queryable): Promise<number> {
  const row = await tables(database)
    .selectFrom('fx_inbound_funds')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where(sql<boolean>`state not in ('used', 'returned')`)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Columns that change along with the state; those not given stay as they are, except `dueAt`, which becomes null. */
export type InboundFundsChange = {
  readonly state: InboundFundsState
  readonly at: Temporal.Instant
  readonly reason?: HoldReason | null
  readonly dealId?: string | null
  readonly dueAt?: Temporal.Instant | null
  /** A new idempotency key: the provider creates another payout, whatever the outcome of an earlier one. */
  readonly returnId?: string
}

/** Changes the state; false when it has changed since the receipt was read. Throws if the transition is not allowed. */
export async function writeInboundFunds(
  database: Queryable,
  receipt: InboundFunds,
  next: InboundFundsChange,
): Promise<boolean> {
  if (!inboundFundsTransitions[receipt.state].includes(next.state)) {
    throw new Error(`Receipt ${receipt.id} cannot change from ${receipt.state} to ${next.state}`)
  }
  const { numUpdatedRows } = await tables(database)
    .updateTable('fx_inbound_funds')
    .set({
      state: next.state,
      changed_at: next.at.toString(),
      due_at: next.dueAt?.toString() ?? null,
      attempts: 0,
      failing_since: null,
      lease_until: null,
      ...(next.reason === undefined ? {} : { reason: next.reason }),
      ...(next.dealId === undefined ? {} : { deal_id: next.dealId }),
      ...(next.returnId === undefined ? {} : { return_id: next.returnId, payout_id: null }),
    })
    .where(hasKey(receipt))
    .where('state', '=', receipt.state)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const NO_FAILURES = { attempts: 0, failing_since: null, lease_until: null }

/** Records the payout that returns the funds, and when to poll it. */
export async function writeFundsReturnOrdered(
  database: Queryable,
  receipt: InboundFunds,
  { payoutId, dueAt }: { readonly payoutId: string; readonly dueAt: Temporal.Instant },
): Promise<void> {
  await tables(database)
    .updateTable('fx_inbound_funds')
    .set({ payout_id: payoutId, due_at: unlessRescheduled(receipt, dueAt), ...NO_FAILURES })
    .where(hasKey(receipt))
    .where('state', '=', 'returning')
    .execute()
}

/** Reschedules a receipt unless its state has changed since it was read. */
export async function postponeInboundFunds(
  database: Queryable,
  receipt: InboundFunds,
  next: Pick<InboundFunds, 'attempts' | 'failingSince'> & { readonly dueAt: Temporal.Instant },
): Promise<void> {
  await tables(database)
    .updateTable('fx_inbound_funds')
    .set({
      attempts: next.attempts,
      failing_since: next.failingSince?.toString() ?? null,
      due_at: unlessRescheduled(receipt, next.dueAt),
      lease_until: null,
    })
    .where(hasKey(receipt))
    .where('state', '=', receipt.state)
    .execute()
}

/** A time that was changed since the read wins: a notification made the receipt due at once. */
function unlessRescheduled({ dueAt }: InboundFunds, next: Temporal.Instant) {
  const read = dueAt?.toString() ?? null
  return sql<string>`case when due_at is not distinct from ${read}::timestamptz
    then ${next.toString()}::timestamptz else due_at end`
}

/** Makes receipts due that waited for the booking of their deal. */
export async function rescheduleEarlyFunds(database: Queryable, deal: DealKey, at: Temporal.Instant): Promise<void> {
  await tables(database)
    .updateTable('fx_inbound_funds')
    .set({ due_at: at.toString() })
    .where('partner_id', '=', deal.partnerId)
    .where('deal_id', '=', deal.id)
    .where('state', '=', 'held')
    .where('reason', '=', 'early')
    .execute()
}

/** Makes the receipt due now that a provider's notification names by our id. */
export async function makeNotifiedReturnDue(database: Queryable, id: string, at: Temporal.Instant): Promise<void> {
  await tables(database)
    .updateTable('fx_inbound_funds')
    .set({ due_at: at.toString() })
    .where('return_id', '=', id)
    .where('state', '=', 'returning')
    .execute()
}

function selectReceipts(database: Queryable) {
  return tables(database).selectFrom('fx_inbound_funds').selectAll()
}

type ReceiptRow = Awaited<ReturnType<ReturnType<typeof selectReceipts>['executeTakeFirstOrThrow']>>

function receiptOf(row: ReceiptRow): InboundFunds {
  return {
    partnerId: row.partner_id,
    id: row.id,
    provider: row.provider,
    providerReceiptId: row.provider_funds_id,
    amount: { minor: row.minor, currency: row.currency },
    reference: row.reference,
    receivedAt: row.received_at,
    quoteId: row.quote_id,
    dealId: row.deal_id,
    state: row.state,
    reason: row.reason,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    returnId: row.return_id,
    payoutId: row.payout_id,
    failingSince: row.failing_since,
    attempts: row.attempts,
    dueAt: row.due_at,
  }
}
